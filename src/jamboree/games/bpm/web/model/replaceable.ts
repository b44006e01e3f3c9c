/** Whether a secret choice can be replaced by another one later: while others still choose, a few times. */
import type { Action, BpmTable } from './wire';

export function isReplaceable({ type }: Action, { me, view }: BpmTable): boolean {
  const mine = me === null ? null : view.sealed[me];
  if ((type !== 'CueSong' && type !== 'DiscardSongs') || !mine) return false;
  const songs = view.hands[me!]?.songs?.length ?? 0;
  const left = (mine.changes ?? 0) - (mine.done ? 1 : 0); // after this choice
  return songs > 1 && left > 0 && view.sealed.some(({ done }, seat) => seat !== me && !done);
}
