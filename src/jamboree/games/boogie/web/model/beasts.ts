/** Which animal sits where; the sheet has a drawing for each, and the tokens the colour of its suit. */
import type { Seat } from '$lib/contract';

export const ANIMALS = ['frog', 'dog', 'giraffe', 'cat', 'bear', 'pig', 'penguin', 'elephant'] as const;

export function animalOf(seat: Seat): string {
  return ANIMALS[seat % ANIMALS.length]!;
}

export function suitOf(seat: Seat): string {
  return `var(--beast-${animalOf(seat)})`;
}
