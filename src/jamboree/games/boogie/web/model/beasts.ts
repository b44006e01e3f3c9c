/** Which animal sits where; the sheet has a drawing for each, and the tokens the colour of its suit. */
import type { Seat } from '$lib/contract';
import { lookOf } from '$lib/avatars.svelte';

export const ANIMALS = ['frog', 'dog', 'giraffe', 'cat', 'bear', 'pig', 'penguin', 'elephant'] as const;

export function animalOf(seat: Seat): string {
  return ANIMALS[lookOf(seat) % ANIMALS.length]!;
}

/** The key of an animal's name. */
export const animalText = (seat: Seat): string => `web.seat.${lookOf(seat)}`;

export function suitOf(seat: Seat): string {
  return `var(--beast-${animalOf(seat)})`;
}
