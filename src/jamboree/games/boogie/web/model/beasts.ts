/** The animal of each seat, after which its drawings and colours are named. */
import type { Seat } from '$lib/contract';
import { avatarOf } from '$lib/avatars.svelte';

export const ANIMALS = ['frog', 'dog', 'giraffe', 'cat', 'bear', 'pig', 'penguin', 'elephant'] as const;

export function animalOf(seat: Seat): string {
  return ANIMALS[avatarOf(seat) % ANIMALS.length]!;
}

/** The key of an animal's name. */
export const animalText = (seat: Seat): string => `web.seat.${avatarOf(seat)}`;

export function suitOf(seat: Seat): string {
  return `var(--beast-${animalOf(seat)})`;
}
