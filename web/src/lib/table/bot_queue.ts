/** Bots that wait for computing time. */
import type { Seat } from '../contract';
import { t } from '../i18n.svelte';
import type { TableStore } from './table_store.svelte';

/** The prompt for the first of these seats that is a queued bot; '' if none is. */
export function queuePrompt(store: TableStore, seats: Seat[]): string {
  const waits = store.table?.queue?.find(({ seat }) => seats.includes(seat));
  return waits ? t('queue.waits', { name: store.nameOf(waits.seat), count: waits.before }) : '';
}
