/** Names of the complex drawings that scenes use as images. */
import { animalOf } from '../model/beasts';

const BOX = ['card-back', ...numbered('form', 2, 6), ...numbered('pose', 1, 6)];

/** Drawings of a table, its players' first. */
export function drawings(seats: number): string[] {
  const animals = Array.from({ length: seats }, (_, seat) => animalOf(seat));
  return [...animals.map((animal) => `face-${animal}`), ...animals.map((animal) => `beast-${animal}`), ...BOX];
}

function numbered(name: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, place) => `${name}-${first + place}`);
}
