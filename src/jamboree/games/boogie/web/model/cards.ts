/** Kinds of cards and equality of jumps; knows nothing of scoring. */
import type { Jump } from './wire';

export const CHARACTERS = ['sure', 'maybe', 'bluff'] as const;
export type Character = (typeof CHARACTERS)[number];

export function isCharacter(card: string): card is Character {
  return CHARACTERS.includes(card as Character);
}

/** Figures are plain numbers; effects are signed numbers or 0. */
export function isFigure(card: string): boolean {
  return /^[1-9]/.test(card);
}

/** A card as it is printed, with a real minus sign. */
export function printed(card: string): string {
  return card.replace('-', '−');
}

export function jumpKey(jump: Jump): string {
  return typeof jump.solo === 'number' ? `s${jump.solo}` : `${jump.number}`;
}

export function sameJump(one: Jump, other: Jump): boolean {
  return jumpKey(one) === jumpKey(other);
}

/** Multiset difference of cards. */
export function without(cards: readonly string[], taken: readonly string[]): string[] {
  const left = [...cards];
  for (const card of taken) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Group equal cards, in order. */
export function stacked(cards: readonly string[]): { card: string; count: number }[] {
  const kinds = [...new Set(cards)];
  return kinds.map((card) => ({ card, count: cards.filter((one) => one === card).length }));
}
