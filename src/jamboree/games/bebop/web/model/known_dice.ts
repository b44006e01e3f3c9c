/** The dice that a hidden hand certainly contains, that is, those common to all beliefs; a face may be unknown. */
import type { Hand, KnownDie } from './wire';

export function surely(hand: Hand): KnownDie[] {
  const [first, ...others] = hand.beliefs.map((belief) => belief.known.map((die) => `${die.colour} ${die.face ?? ''}`));
  const sure = (first ?? []).filter((die, at, all) => {
    const count = all.slice(0, at + 1).filter((one) => one === die).length;
    return others.every((belief) => belief.filter((one) => one === die).length >= count);
  });
  return sure.map((die) => die.split(' ')).map(([colour = '', face]) => ({ colour, face: face || null }));
}
