/** The promises about each jump before the jury, and who broke them. */
import type { Seat } from '$lib/contract';
import { sameJump } from '../../model/cards';
import type { Jump, Jury, Promised } from '../../model/wire';

/** The jump after which a promise can be judged: an exchange waits for both jumps; a jump that nobody made, for all. */
export function settledAt(jury: Jury, { term, asked }: Promised): number {
  const at = (jump: Jump): number => {
    const found = jury.jumps.findIndex((one) => sameJump(one.jump, jump));
    return found < 0 ? jury.jumps.length - 1 : found;
  };
  return Math.max(at(term.jump), asked ? at(asked.jump) : 0);
}

/** The promises shown with a jump. */
export function promisesAt(jury: Jury, index: number): Promised[] {
  const jump = jury.jumps[index]?.jump;
  if (!jump) return jury.promises;
  return jury.promises.filter((one) => sameJump(one.term.jump, jump) || settledAt(jury, one) === index);
}

/** A window of at most `limit` promises that contains the last one judged. */
export function inSight(promises: Promised[], judged: number, limit: number): Promised[] {
  const first = Math.max(0, Math.min(judged - limit + 1, promises.length - limit));
  return promises.slice(first, first + limit);
}

/** Players who broke a promise, without duplicates. */
export function liars(promises: readonly Promised[]): Seat[] {
  return [...new Set(promises.filter((one) => one.verdict === 'broken').map((one) => one.seat))];
}
