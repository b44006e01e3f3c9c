/** Final ranking: winners first, then by points. */
import type { Outcome, Seat } from '../contract';

export interface Ranked {
  seat: Seat;
  score: number;
  won: boolean;
}

export function ranking({ winners, scores }: Outcome): Ranked[] {
  const all = scores.map((score, seat) => ({ seat, score, won: winners.includes(seat) }));
  return all.sort((one, other) => Number(other.won) - Number(one.won) || other.score - one.score);
}
