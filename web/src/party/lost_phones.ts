/** Players of a running game whose phones are disconnected. */
import type { TableState } from '$lib/table/table_state.svelte';
import type { PersonInfo } from '../net/wire';

export function lostPhones(table: TableState): PersonInfo[] {
  const people = table.playing ? table.store.table!.people : [];
  return people.filter((one) => one.seat !== null && !one.connected && !one.left);
}
