import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Component } from 'svelte';
import type { Face } from '$lib/contract';
import bebop from '../../../src/jamboree/games/bebop/web';
import boogie from '../../../src/jamboree/games/boogie/web';
import bpm from '../../../src/jamboree/games/bpm/web';
import { plainFace } from '../../src/plain';
import { Bench, updates } from '../test_table';

type AnyFace = Face<never, never, never, unknown>;
const PLAIN = { ...plainFace('bebop'), key: 'bebop' };
const FACES: [string, string, AnyFace][] = [
  ['bebop', 'bebop-4', bebop as unknown as AnyFace],
  ['bpm', 'bpm-4', bpm as unknown as AnyFace],
  ['boogie', 'boogie-5', boogie as unknown as AnyFace],
  ['plain', 'bebop-4', PLAIN as unknown as AnyFace],
];

function seatOf(face: AnyFace, name: string, seat: number): HTMLElement {
  const bench = new Bench(face, name, updates<never, never>(name)[0]!.position);
  const seen = bench.room.seen!;
  const people = seen.people.filter((person) => person.seat !== 1);
  bench.room.seen = { ...seen, people, bots: [{ seat: 1, level: 'sharp', name: 'Otto' }] };
  const SeatCard = face.SeatCard as unknown as Component<Record<string, unknown>>;
  return render(SeatCard, { table: bench.table, model: bench.model, seat }).container;
}

test.each(FACES)('the seat of a bot has its portrait and its name: %s', (_, name, face) => {
  const seat = seatOf(face, name, 1);
  expect(seat.querySelector('use[href="#bot-sharp"]')).toBeTruthy();
  expect(seat.textContent).toContain('Otto');
  expect(seat.querySelector('[aria-description]')).toBeTruthy();
});

test.each(FACES)('the seat of a person has none: %s', (_, name, face) => {
  expect(seatOf(face, name, 0).querySelector('use[href^="#bot"]')).toBeNull();
});
