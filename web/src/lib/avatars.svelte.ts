/** Avatars of the current table: which of the game's colours, animals or tokens each seat has. */
import type { Seat } from './contract';

let avatars = $state.raw<readonly number[]>([]);

export function setAvatars(chosen: readonly number[] | undefined): void {
  avatars = chosen ?? [];
}

/** The avatar of a seat; by default the one with the seat's number. */
export const avatarOf = (seat: Seat): number => avatars[seat] ?? seat;
