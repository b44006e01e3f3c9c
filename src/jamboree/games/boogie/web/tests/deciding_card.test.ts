import { describe, expect, test } from 'vitest';
import { decidingCard, verdictOf, verdictsByCard } from '../board/jury/deciding_card';

type Jumped = Parameters<typeof decidingCard>[0];

const jump = (number: number, ...cards: string[]): Jumped => ({
  jump: { number },
  characters: cards.map((card, seat) => ({ seat, card })),
  disqualified: [],
  late: [],
});

test.each([
  [3, 4, 0, 'too many'],
  [3, 3, 2, 'exact'],
  [3, 2, 1, 'exact'],
  [3, 2, 2, 'too many'],
  [3, 1, 1, 'halved'],
  [3, 0, 0, 'nobody'],
])('a jump for %d with %d sure and %d if-needed jumpers: %s', (needed, sure, maybe, verdict) => {
  expect(verdictOf(needed, sure, maybe)).toBe(verdict);
});

describe('the card that decides', () => {
  test('is the last one if all results are possible', () => {
    const seen = jump(3, 'sure', 'sure', 'maybe', 'bluff');
    expect(decidingCard(seen)).toBe(3);
    expect(verdictsByCard(seen, 3)).toEqual({ sure: 'exact', maybe: 'too many', bluff: 'exact' });
  });

  test('is an earlier one if later cards change nothing', () => {
    expect(decidingCard(jump(2, 'sure', 'sure', 'sure', 'bluff'))).toBe(2);
  });

  test('does not exist if the result was never open, or with a single card', () => {
    expect(decidingCard(jump(2, 'sure'))).toBe(null);
    expect(decidingCard(jump(3))).toBe(null);
  });

  test('is never a card that does not count', () => {
    const seen = { ...jump(2, 'sure', 'sure', 'bluff', 'bluff'), disqualified: [3] };
    expect(decidingCard(seen)).toBe(2);
  });

  test('is computed without the cards that do not count', () => {
    const seen = { ...jump(2, 'sure', 'maybe', 'bluff'), disqualified: [1] };
    expect(verdictsByCard(seen, 2)).toEqual({ sure: 'exact', maybe: 'exact', bluff: 'halved' });
  });
});
