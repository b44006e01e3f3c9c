/** A big screen: the last move explained, the rule that fits it, and the rotated board. */
import { screen as page } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { LogEntry, Tagged } from '$lib/contract';
import { settle } from '$tests/test_table';
import { lastMove, moves, ruleShown } from '../model/last_move';
import HighlightedHexes from '../board/overlays/HighlightedHexes.svelte';
import TvColumn from '../panels/TvColumn.svelte';
import TvLastMove from '../panels/TvLastMove.svelte';
import ui from '../index';
import type { Event } from '../model/wire';
import { asked, type Bench } from './test_table';

const RED_KEYS = { colour: 'red', face: 'keys' };
let seq = 0;
const line = (seat: number | null, event: object): LogEntry => ({
  seq: ++seq,
  index: 0,
  seat,
  text: '',
  undone: false,
  event: event as Tagged,
});
const claim = (seat: number, tile = 'basic', face_down = false): LogEntry =>
  line(seat, { type: 'SeatClaimed', seat, tile, hex: 'a2', face_down });
const keep = (seat: number): LogEntry => line(seat, { type: 'DiceKept', seat });
const book = (seat: number): LogEntry => line(seat, { type: 'SeatBooked', seat, hex: 'a2', die: RED_KEYS });
const family = (seat: number, points: number, size: number): LogEntry => {
  const hexes = ['a2', 'a3', 'a4', 'a5'].slice(0, size);
  return line(seat, {
    type: 'FamilyScored',
    seat,
    die: RED_KEYS,
    family: hexes,
    matching: hexes.slice(0, points),
    points,
  });
};
const feature = (points: number, winners: number[]): LogEntry =>
  line(winners.length === 1 ? winners[0]! : null, {
    type: 'FeatureScored',
    stage: 'D',
    token: { feature: 'keys', star: false },
    value: points * winners.length,
    listeners: [['a2'], []],
    winners,
    points,
    token_to: winners[0],
    marker: 5,
  });

const types = (log: LogEntry[]): string[][] => moves(log).map((events) => events.map(({ type }) => type));

describe('the moves of a log', () => {
  it('contain everything that follows a claim or a booking', () => {
    const log = [claim(0), keep(0), book(1), family(1, 2, 2), feature(3, [0]), line(1, { type: 'DieTaken', seat: 1 })];
    expect(types(log)).toEqual([
      ['SeatClaimed', 'DiceKept'],
      ['SeatBooked', 'FamilyScored', 'FeatureScored', 'DieTaken'],
    ]);
  });

  it('contain the second claim and the booking that a special allows', () => {
    expect(types([claim(0, 'double'), claim(0), keep(0), keep(0), claim(1)])).toHaveLength(2);
    expect(types([claim(0, 'insta'), book(0), keep(0)])).toHaveLength(1);
    expect(types([claim(0, 'insta', true), keep(0), book(0)])).toHaveLength(2);
    expect(types([claim(0, 'double'), line(0, { type: 'FollowUpDeclined', seat: 0 }), claim(0)])).toHaveLength(2);
  });

  it('are those of one player one after another if the others have finished', () => {
    expect(types([claim(0), keep(0), book(0), book(0)])).toHaveLength(3);
  });

  it('leave out what was undone', () => {
    expect(types([{ ...claim(0), undone: true }, claim(1)])).toEqual([['SeatClaimed']]);
  });

  it('pay their player the family and the tokens won', () => {
    const log = [book(1), family(1, 3, 4), feature(6, [1]), feature(3, [0, 1]), feature(5, [0])];
    expect(lastMove(log)!.points).toBe(12);
    expect(lastMove([])).toBeNull();
  });
});

describe('the rule that fits', () => {
  const rule = (log: LogEntry[], missing: string[] = ['a2', 'a3']): string =>
    ruleShown(
      log,
      [{ stage: 'D', spaces: [], tokens: [{ feature: 'keys', star: false }], missing, leads: [], paid: [] }],
      2,
    );

  it('is about what has happened for the first time', () => {
    expect(rule([claim(0)])).toBe('claim');
    expect(rule([claim(0), keep(0), claim(1, 'vip')])).toBe('vip');
    expect(rule([claim(0), keep(0), claim(1, 'vip', true)])).toBe('face-down');
    expect(rule([claim(0), book(1)])).toBe('book');
    expect(rule([claim(0), book(1), book(0), family(0, 1, 2)])).toBe('family');
    expect(rule([book(1), family(1, 1, 2), feature(3, [0, 1])])).toBe('tie');
  });

  it('is any in the first round, and that of a stage soon to play until one has', () => {
    expect(rule([])).toBe('turn');
    expect(rule([claim(0), claim(1)])).toBe('turn');
    expect(rule([claim(0), claim(1), claim(0)])).toBe('');
    expect(rule([claim(0), claim(1), claim(0)], ['a2'])).toBe('stage-soon');
    expect(rule([book(0), feature(3, [0]), book(1), book(0)], ['a2'])).toBe('');
  });
});

/** A table of four on a big screen, with a log. */
async function shown(log: LogEntry[], part: typeof TvLastMove): Promise<Bench> {
  const bench = asked('bebop-4', 'turn');
  Object.defineProperty(bench.table, 'onScreen', { value: true });
  bench.store.log = log;
  bench.draw(part);
  await settle();
  return bench;
}

describe('the last move', () => {
  it('says who did what, what it paid, and why', async () => {
    const banner = line(1, { type: 'BannerMoved', colour: 'red', family: ['a2'] });
    const bench = await shown([book(1), family(1, 3, 4), banner], TvLastMove);
    const box = page.getByRole('region', { name: 'The last move' });
    expect(box.textContent).toContain(`${bench.table.name(1)} booked red keys.`);
    expect(box.textContent).toContain('+3');
    expect(box.textContent).toContain('The red family of 4 has 3 keys dice.');
    expect(box.textContent).toContain('The red banner flies there.');
    expect(box.querySelectorAll('.paid svg')).toHaveLength(3);
  });

  it('says how one wins while nothing has happened', async () => {
    await shown([], TvLastMove);
    expect(page.getByText('Most points win.')).toBeTruthy();
  });

  it('rings the dice that paid, with a point each', async () => {
    const bench = await shown([], HighlightedHexes);
    const [first, second] = bench.model.board.hexes.map(({ name }) => name);
    const scored = { type: 'FamilyScored', matching: [first, second] } as unknown as Event;
    ui.highlight!([scored, { type: 'SeatBooked', hex: second } as unknown as Event], bench.model);
    await settle();
    expect(page.getAllByText('+1')).toHaveLength(2);
    expect(page.queryByText(first!)).toBeNull();
  });
});

it('lists the stages that one die completes, and lets Opal explain', async () => {
  const bench = await shown([claim(1)], TvColumn);
  const { view } = bench.table;
  const waiting = view.stages.filter(({ tokens }) => tokens.length);
  bench.change({ stages: waiting.map((stage) => ({ ...stage, missing: ['a2', 'a3'] })) });
  await settle();
  expect(page.queryByText('one seat from playing')).toBeNull();
  expect(page.getByRole('note').textContent).toContain('A claimed seat waits for a die');
});
