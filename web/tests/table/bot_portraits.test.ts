import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Component } from 'svelte';
import type { TableUi } from '$lib/contract';
import bebop from '../../../src/jamboree/games/bebop/web';
import boogie from '../../../src/jamboree/games/boogie/web';
import bpm from '../../../src/jamboree/games/bpm/web';
import BotPortrait from '$lib/components/BotPortrait.svelte';
import { plainTableUi } from '../../src/plain';
import { Bench, updates } from '../test_table';

type AnyTableUi = TableUi<never, never, never, unknown>;
const PLAIN = { ...plainTableUi('bebop'), key: 'bebop' };
const TABLE_UIS: [string, string, AnyTableUi][] = [
  ['bebop', 'bebop-4', bebop as unknown as AnyTableUi],
  ['bpm', 'bpm-4', bpm as unknown as AnyTableUi],
  ['boogie', 'boogie-5', boogie as unknown as AnyTableUi],
  ['plain', 'bebop-4', PLAIN as unknown as AnyTableUi],
];

function seatOf(ui: AnyTableUi, name: string, seat: number): HTMLElement {
  const bench = new Bench(ui, name, updates<never, never>(name)[0]!.position);
  const seen = bench.store.table!;
  const people = seen.people.filter((person) => person.seat !== 1);
  bench.store.table = { ...seen, people, bots: [{ seat: 1, level: 'sharp', name: 'Otto' }] };
  const SeatCard = ui.SeatCard as unknown as Component<Record<string, unknown>>;
  return render(SeatCard, { table: bench.table, model: bench.model, seat }).container;
}

test.each(TABLE_UIS)('a bot’s seat has its portrait and name: %s', (_, name, ui) => {
  const seat = seatOf(ui, name, 1);
  expect(seat.querySelector('use[href="#bot-sharp"]')).toBeTruthy();
  expect(seat.textContent).toContain('Otto');
  expect(seat.querySelector('[aria-description]')).toBeTruthy();
});

test.each(TABLE_UIS)('a person’s seat has no portrait: %s', (_, name, ui) => {
  expect(seatOf(ui, name, 0).querySelector('use[href^="#bot"]')).toBeNull();
});

test('bots of one level have different faces', () => {
  const bench = new Bench(bebop as unknown as AnyTableUi, 'bebop-4', updates<never, never>('bebop-4')[0]!.position);
  const levels = ['sharp', 'rookie', 'sharp', 'sharp'];
  bench.store.table = {
    ...bench.store.table!,
    people: [],
    bots: levels.map((level, seat) => ({ seat, level: level as 'sharp', name: `Bot ${seat}` })),
  };
  const faces = levels.map((_, seat) => {
    const { container } = render(BotPortrait, { table: bench.table, seat, size: 20 });
    return container.querySelector('[class*="face-"]')!.className.match(/face-\d/)![0];
  });
  expect(faces).toEqual(['face-0', 'face-0', 'face-1', 'face-2']);
});
