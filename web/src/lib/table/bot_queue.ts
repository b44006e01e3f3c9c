/** Bots that wait for computing time. */
import type { Seat } from '../contract';
import { t } from '../i18n.svelte';
import type { Room } from './table_store.svelte';

/** What the first of these seats waits for that is a bot in the queue; nothing is ''. */
export function queued(room: Room, seats: Seat[]): string {
  const waits = room.seen?.queue?.find(({ seat }) => seats.includes(seat));
  return waits ? t('queue.waits', { name: room.nameOf(waits.seat), count: waits.before }) : '';
}
