/** Avatars of the current table: which of the game's colours, animals or tokens each seat has. */
import type { Seat } from './contract';

let worn = $state.raw<readonly number[]>([]);

export function wear(looks: readonly number[] | undefined): void {
  worn = looks ?? [];
}

/** The number of a seat's look; where nobody has chosen, that of the seat. */
export const lookOf = (seat: Seat): number => worn[seat] ?? seat;
