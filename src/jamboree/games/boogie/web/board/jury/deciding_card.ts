/** Finds the card that decides a jump: before it is revealed several results are possible, afterwards one. */
import { CHARACTERS, type Character } from '../../model/cards';
import type { JumpSeen, Turned } from '../../model/wire';

export type Verdict = 'exact' | 'halved' | 'too many' | 'nobody';

/** Result of a jump by the numbers of sure and if-needed jumpers. */
export function verdictOf(needed: number, sure: number, maybe: number): Verdict {
  if (sure > needed) return 'too many';
  if (sure === needed) return 'exact';
  const both = sure + maybe; // too few: the if-needed ones jump, too
  if (both > needed) return 'too many';
  if (!both) return 'nobody';
  return both === needed ? 'exact' : 'halved';
}

/** All possible results of a jump when some cards are known and some are hidden. */
export function open(needed: number, known: readonly string[], hidden: number): Set<Verdict> {
  const count = (card: Character): number => known.filter((one) => one === card).length;
  const found = new Set<Verdict>();
  for (let sure = 0; sure <= hidden; sure++)
    for (let maybe = 0; sure + maybe <= hidden; maybe++)
      found.add(verdictOf(needed, count('sure') + sure, count('maybe') + maybe));
  return found;
}

type Jumped = Pick<JumpSeen, 'characters' | 'disqualified' | 'late'> & { jump: { number: number } };

/** A predicate for cards that count. */
function counting({ disqualified, late }: Jumped): (card: Turned) => boolean {
  return ({ seat }) => !disqualified.includes(seat) && !late.includes(seat);
}

/** Index of the deciding card; null if there is none. */
export function decidingCard(judged: Jumped): number | null {
  const { jump, characters } = judged;
  const counts = counting(judged);
  const known = (many: number): string[] =>
    characters
      .slice(0, many)
      .filter(counts)
      .map(({ card }) => card);
  const hidden = (many: number): number => characters.slice(many).filter(counts).length;
  const ways = (many: number): number => open(jump.number, known(many), hidden(many)).size;
  const place = characters.findIndex((card, at) => counts(card) && ways(at) > 1 && ways(at + 1) === 1);
  return place > 0 ? place : null;
}

/** Result of the jump for each possible card; null if still open. */
export function verdictsByCard(judged: Jumped, place: number): Record<Character, Verdict | null> {
  const { jump, characters } = judged;
  const known = characters.slice(0, place).filter(counting(judged));
  const hidden = characters.slice(place + 1).filter(counting(judged));
  const of = (card: Character): Verdict | null => {
    const ways = [...open(jump.number, [...known.map((one) => one.card), card], hidden.length)];
    return ways.length === 1 ? ways[0]! : null;
  };
  return Object.fromEntries(CHARACTERS.map((card) => [card, of(card)])) as Record<Character, Verdict | null>;
}
