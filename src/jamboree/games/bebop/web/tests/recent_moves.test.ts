import { fireEvent, screen as page } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { LogEntry, Tagged } from '$lib/contract';
import { settle } from '$tests/test_table';
import Board from '../board/Board.svelte';
import ui from '../index';
import { places } from '../model/places';
import { since } from '../model/recent_moves';
import type { Event } from '../model/wire';
import { asked, type Bench } from './test_table';

const line = (seq: number, seat: number | null, text: string, index = 0, event?: object): LogEntry => ({
  seq,
  index,
  seat,
  text,
  undone: false,
  event: event as Tagged,
});
const at = (hex: string): object => ({ type: 'SeatBooked', hex });
const LOG = [
  line(1, 1, 'Bob claims a1 with a basic seat.', 0, at('a1')),
  line(2, 0, 'Ada books b2 with a red keys die.', 0, at('b2')),
  line(2, null, 'The queue fills up with a red brass die.', 1, { type: 'QueueRefilled', place: 1 }),
  line(3, 1, 'Bob books c3 with a red keys die.', 0, at('c3')),
  line(3, 1, 'Bob scores 2 points.', 1, { type: 'FamilyScored', matching: ['c3', 'c4'] }),
  line(4, 1, 'Bob takes a red keys die from the queue.', 0, { type: 'DieTaken', place: 1 }),
  line(5, 2, 'Cleo claims d4 with a Boot.', 0, at('d4')),
  line(6, 2, 'A bot chose for Cleo.'),
];
const hexes = (event: Event): string[] => places(event).flatMap((place) => /^hex-(.+)/.exec(place)?.[1] ?? []);

it('groups the moves of the others since my own', () => {
  const moves = since(LOG, 0, hexes);
  expect(moves.map(({ seq, at }) => [seq, at])).toEqual([
    [3, ['c3']],
    [5, ['d4']],
  ]);
  expect(moves[0]!.hexes).toEqual(['c3', 'c4']);
  expect(moves[0]!.text).toContain('scores 2 points');
});

it('calls them moves since my turn only if I have had one', async () => {
  const { bench } = lay();
  bench.draw(Board);
  expect(page.getByText('2 moves since your turn')).toBeTruthy();
  bench.store.log = bench.store.log.slice(1);
  await settle();
  expect(page.getByText('2 moves so far')).toBeTruthy();
  expect(page.queryByText(/since your turn/)).toBeNull();
});

function lay(): { bench: Bench; names: string[] } {
  const bench = asked('bebop-4', 'turn');
  const names = bench.model.board.hexes.slice(0, 2).map(({ name }) => name);
  bench.store.log = [
    line(1, 0, `Ada claims ${names[0]} with a basic seat.`, 0, at(names[0]!)),
    line(2, 1, `Bob claims ${names[0]} with a Boot.`, 0, at(names[0]!)),
    line(3, 2, `Cleo books ${names[1]} with a red keys die.`, 0, at(names[1]!)),
  ];
  return { bench, names };
}

const marked = (kind: string): (string | null)[] =>
  [...document.querySelectorAll(`[data-${kind}]`)].map((one) => one.getAttribute(`data-${kind}`));

it('marks what happened since my turn, and steps through it', async () => {
  const { bench, names } = lay();
  bench.draw(Board);
  expect(marked('fresh')).toEqual(names);
  await fireEvent.click(page.getByText('2 moves since your turn'));
  expect(marked('lit')).toEqual([names[0]]);
  expect(page.getByText(/Bob claims/)).toBeTruthy();
  await fireEvent.click(page.getByLabelText('The next move'));
  expect(marked('lit')).toEqual([names[1]]);
  expect(page.queryByText(/Bob claims/)).toBeNull();
  await fireEvent.click(page.getByLabelText('Close'));
  expect(marked('lit')).toEqual([]);
});

it('hides dismissed moves, and shows later ones', async () => {
  const { bench, names } = lay();
  bench.draw(Board);
  await fireEvent.click(page.getByText('2 moves since your turn'));
  await fireEvent.click(page.getByLabelText('The next move'));
  await fireEvent.click(page.getByLabelText('Close'));
  expect(page.queryByText(/since your turn/)).toBeNull();
  bench.store.log = [...bench.store.log, line(4, 3, `Dan claims ${names[1]} with a basic seat.`, 0, at(names[1]!))];
  await settle();
  expect(page.getByText('3 moves since your turn')).toBeTruthy();
});

it('locates a reroll at the dice of the player who rolled', () => {
  const rolled = { type: 'DieRerolled', seat: 2, secret: true, before: null, after: null } as const;
  expect(places(rolled)).toEqual(['dice-2']);
});

it('highlights the hexes of an event, including those of its stage', async () => {
  const { bench, names } = lay();
  bench.draw(Board);
  expect(ui.highlight!([bench.store.log[1]!.event as Event], bench.model)).toBe(true);
  await settle();
  expect(marked('lit')).toEqual([names[0]]);
  expect(ui.highlight!([{ type: 'SeatPassed', seat: 0 }], bench.model)).toBe(false);
  await settle();
  expect(marked('lit')).toEqual([]);
  const stage = bench.model.view.stages[0]!;
  expect(bench.model.hexesOf({ type: 'StagePerformed', seat: 0, stage: stage.stage })).toEqual(stage.spaces);
});
