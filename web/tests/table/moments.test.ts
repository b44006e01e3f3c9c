import { beforeEach, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import ui from '../../../src/jamboree/games/bebop/web';
import type { Action, Event, View } from '../../../src/jamboree/games/bebop/web/model/wire';
import sky from '../../../src/jamboree/games/boogie/web';
import club from '../../../src/jamboree/games/bpm/web';
import type { Event as Told, View as Seen } from '../../../src/jamboree/games/bpm/web/model/wire';
import { expandPlaces } from '$lib/components/screen_positions';
import { explain, type Explained } from '../../src/table/annotations/log_explanation';
import { matchingTip, found, momentsOf, type Moment } from '../../src/table/annotations/moments';
import { Bench, stepOf, updates } from '../test_table';

const NOTHING = { events: [], offers: [], view: null };
const none = (): string[] => [];

beforeEach(() => localStorage.clear());

test('a pattern matches, also elements of a list', () => {
  const view = {
    stages: [
      { stage: 'A', missing: ['a1', 'b1'] },
      { stage: 'B', missing: ['c1'] },
    ],
  };
  expect(found({ stages: { missing: { count: 1 } } }, view)).toEqual(view.stages[1]);
  expect(found({ stages: { missing: { count: 0 } } }, view)).toBeNull();
  expect(found({ type: 'Laid', tile: ['double', 'boot'] }, { type: 'Laid', tile: 'boot' })).toBeTruthy();
  expect(found({ owner: { other: 'seat' } }, { owner: 1, seat: 1 })).toBeNull();
  expect(found({ owner: { other: 'seat' } }, { owner: 1, seat: 0 })).toBeTruthy();
  expect(found({ card: { not: 'slow-burn' } }, { card: 'slow-burn' })).toBeNull();
  expect(found({ card: { not: 'slow-burn' } }, { card: null })).toBeTruthy();
});

test('places are built from the fields of the match', () => {
  expect(expandPlaces(['hex-{hex}', 'seat-{seats}'], { hex: 'b2', seats: [0, [2]] })).toEqual([
    'hex-b2',
    'seat-0',
    'seat-2',
  ]);
  expect(expandPlaces(['hex-{hex}'], { hex: null })).toEqual([]);
});

test('a known tip is not shown again', () => {
  const moments: Moment[] = [{ key: 'go', rule: 'go', offer: { type: 'Go' }, at: ['cell-{cell}'] }];
  const offers = [{ type: 'Go', cell: 'a1' }];
  expect(matchingTip(moments, new Set(), { ...NOTHING, offers }, none)?.places).toEqual(['cell-a1']);
  expect(matchingTip(moments, new Set(['go']), { ...NOTHING, offers }, none)).toBeNull();
});

test.each([
  ['slow-burn', ['order-slow-burn']],
  ['corners', ['order']],
])('the order of songs is explained according to the card %s', async (card, told) => {
  const moments = await momentsOf('bpm');
  const events = [{ event: { type: 'OrderFound', order: [1, 0] }, view: { card } }];
  const known = new Set<string>();
  for (let come; (come = matchingTip(moments, known, { ...NOTHING, events }, none));) known.add(come.moment.key);
  expect([...known]).toEqual(told);
});

function table(): Bench<View, Action, Event, unknown> {
  const first = updates<View, Event>('bebop-2')[0]!;
  return new Bench(ui as never, 'bebop-2', first.position);
}

test('a log entry is explained by its places and consequences', async () => {
  const bench = table();
  const step = stepOf<View, Event>('bebop-2', ({ events }) => events.some(({ type }) => type === 'FamilyScored'));
  bench.store.receive({ ...step, type: 'update', seq: bench.store.seq + 1 } as never);
  await expect.poll(() => bench.store.log.length).toBeGreaterThan(1);
  const booked = bench.store.log.find(({ event }) => event?.type === 'SeatBooked')!;
  const { lines, places } = explain(bench.shell, booked);
  const scored = step.events.find(({ type }) => type === 'FamilyScored') as { matching: string[] };
  expect(lines[0]).toMatchObject({ chosen: true, why: '' });
  expect(lines.some(({ why }) => why.startsWith('A die scores 1 for every die of its family'))).toBe(true);
  expect(places).toEqual([`hex-${(booked.event as unknown as { hex: string }).hex}`]);
  const family = bench.store.log.find(({ event }) => event?.type === 'FamilyScored')!;
  expect(explain(bench.shell, family).places).toEqual(scored.matching.map((hex) => `hex-${hex}`));
});

/** Explain a line of a log with these events in one step, each told by its name, with a rule for some. */
function explained(ui: object, events: { type: string }[], chosen: { type: string }, ruled: string[]): Explained {
  const log = events.map((event, index) => ({ seq: 1, index, seat: null, text: event.type, event, undone: false }));
  const texts = Object.fromEntries(ruled.map((type) => [`web.why.${type}`, type]));
  const model = { isGone: () => false };
  return explain({ log, ui, model, texts, t: String } as never, log[events.indexOf(chosen)]!);
}

test('a place is ringed once, however often a step refers to it', () => {
  const { events } = stepOf<Seen, Told>('bpm-4', (one) => one.events.some(({ type }) => type === 'OrderFound'));
  const picked = { type: 'SetlistsPicked' };
  const { places } = explained(club, [picked, ...events], picked, []);
  expect(places).toContain('cue-0');
  expect(places).toEqual([...new Set(places)]);
});

test('the explanation of one jump excludes other jumps, and each rule appears once', () => {
  const at = (type: string, number: number): { type: string } => ({ type, jump: { number, solo: null } }) as never;
  const [turned, pull, judged] = [at('CardsTurned', 2), { type: 'PullCalled' }, { type: 'PromiseJudged' }];
  const events = [pull, turned, at('JumpScored', 2), at('JumpScored', 3), at('JumpScored', 2), judged, judged];
  const rules = ['JumpScored', 'PromiseJudged'];
  const { lines } = explained(sky, events, turned, rules);
  expect(lines.map(({ text }) => text)).toEqual(['CardsTurned', 'JumpScored', 'JumpScored']);
  expect(lines.map(({ why }) => why)).toEqual(['', 'web.why.JumpScored', '']);
  expect(explained(sky, events, pull, rules)).toMatchObject({ lines: [{ text: 'PullCalled' }], places: [] });
});

test('a log entry locates new dancers', () => {
  const filled = { type: 'FloorFilled', newcomers: [{ cell: 'b4' }, { cell: 'd4' }] };
  expect(club.places!(filled as never, null as never)).toEqual(['cell-b4', 'cell-d4']);
});

test.each(['bebop', 'bpm', 'boogie'])('every tip of %s has a text in both languages', (game) => {
  const path = `src/jamboree/games/${game}/words`;
  const moments = JSON.parse(readFileSync(`${path}/moments.json`, 'utf8')) as Moment[];
  for (const language of ['en', 'nl']) {
    const texts = Object.keys(JSON.parse(readFileSync(`${path}/locale/${language}.json`, 'utf8')) as object);
    const told = texts.filter((key) => key.startsWith('web.moment.')).map((key) => key.replace('web.moment.', ''));
    expect(told.sort()).toEqual(moments.map(({ key }) => key).sort());
  }
});
