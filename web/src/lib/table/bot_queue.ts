/** Bots that wait for computing time. */
import type { Seat } from '../contract';
import { t } from '../i18n.svelte';
import type { TableStore } from './table_store.svelte';

/** What the first of these seats waits for that is a bot in the queue; nothing is ''. */
export function queued(store: TableStore, seats: Seat[]): string {
  const waits = store.table?.queue?.find(({ seat }) => seats.includes(seat));
  return waits ? t('queue.waits', { name: store.nameOf(waits.seat), count: waits.before }) : '';
}
