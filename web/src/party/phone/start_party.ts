/** Starts a party with the people who have joined, without waiting for every seat. */
import type { Room } from '$lib/table/table_store.svelte';
import { api } from '../../net/api';

export function freeSeats(room: Room): number[] {
  const seats = Array.from({ length: room.seen?.seats ?? 0 }, (_, seat) => seat);
  return seats.filter((seat) => !room.at(seat) && !room.isBot(seat));
}

/** Take the chairs away that nobody has, and begin. */
export async function startNow(room: Room): Promise<void> {
  const { table, seats } = room.seen!;
  const free = freeSeats(room).length;
  if (free) await api.setUp(table, { seats: seats - free });
  await api.start(table);
}
