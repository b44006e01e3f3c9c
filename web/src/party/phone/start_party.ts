/** Starts a party with the people who have joined, without waiting for every seat. */
import type { TableStore } from '$lib/table/table_store.svelte';
import { api } from '../../net/api';

export function freeSeats(store: TableStore): number[] {
  const seats = Array.from({ length: store.table?.seats ?? 0 }, (_, seat) => seat);
  return seats.filter((seat) => !store.personAt(seat) && !store.isBot(seat));
}

/** Remove free seats, and start. */
export async function startNow(store: TableStore): Promise<void> {
  const { table, seats } = store.table!;
  const free = freeSeats(store).length;
  if (free) await api.setUp(table, { seats: seats - free });
  await api.start(table);
}
