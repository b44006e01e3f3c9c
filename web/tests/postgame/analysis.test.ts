import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import ReviewSection from '../../src/postgame/review/ReviewSection.svelte';
import LuckBars from '../../src/postgame/review/LuckBars.svelte';
import TurningPoints from '../../src/postgame/review/TurningPoints.svelte';
import { Positions } from '../../src/postgame/review/positions';
import { GameReview } from '../../src/postgame/review/analysis.svelte';
import {
  changeOf,
  fallsOf,
  interval,
  lineOf,
  margin,
  percents,
  remainingTime,
  signed,
  symbolPositions,
} from '../../src/postgame/review/chances';
import { scaleOf } from '../../src/postgame/chart';
import { api } from '../../src/net/api';
import type { AnalysisInfo, TableResponse } from '../../src/net/wire';
import { plainTableUi } from '../../src/plain';

const NAMES = ['Ada', 'Bob'];
const Mark = plainTableUi('toy').Mark;
const positions = { after: () => Promise.reject(new Error('no pictures')) } as unknown as Positions;
const POINT = {
  step: 9,
  seat: 0,
  kind: 'choice',
  change: -0.12,
  before: 0.994,
  after: 0.874,
  did: 'Claim b4',
  did_action: null,
  better_action: null,
  better: 'Claim h5',
  why: 'Two dice.',
  knew: 'All of it.',
};

const SEEN = {
  game: 'toy',
  seats: 3,
  bots: [{ seat: 0, name: 'Vesper', level: 'star' }],
  people: [],
  you: { person: 'p1', seat: 1 },
} as unknown as TableResponse;

beforeEach(async () => words.load('en'));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('luck and choices are shown with signs', () => {
  render(LuckBars, {
    balance: [
      { luck: 0.04, choices: -0.3, others: 0.1 },
      { luck: -0.07, choices: 0, others: 0 },
    ],
    names: NAMES,
    Mark,
  });
  expect(screen.getByLabelText('Ada: luck +4, choices −30')).toBeTruthy();
  expect(signed(-0.004)).toBe('+0');
});

test("a game's own section has a row per seat, and entries below it", () => {
  const section = {
    key: 'promises',
    title: 'The honesty table',
    about: 'In points.',
    columns: [
      { title: 'kept', style: 'good' as const },
      { title: 'broken', style: 'bad' as const },
      { title: 'void', style: 'plain' as const },
      { title: 'in points', style: 'points' as const },
    ],
    rows: [[3, 7, 1, -11]],
    entries_title: 'Who promised what: 1 promise',
    entries: [{ seat: 0, sentence: 'Ada broke her word.', points: -4, note: 'Breaking it brought −4.' }],
  };
  render(ReviewSection, { section, names: NAMES, Mark });
  expect(screen.getByText('Who promised what: 1 promise')).toBeTruthy();
  expect(screen.getByText('Breaking it brought −4.')).toBeTruthy();
  const row = screen.getByRole('rowheader', { name: /Ada/ }).closest('tr')!;
  expect([...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim())).toEqual(['3', '7', '1', '−11']);
});

test('a turning point shows its cost, the better move and what was known, and can be replayed from the step before', async () => {
  const fork = vi.spyOn(api, 'fork').mockResolvedValue({ table: 'new' });
  const bot = vi.spyOn(api, 'bot').mockResolvedValue(undefined);
  const start = vi.spyOn(api, 'start').mockResolvedValue(undefined);
  render(TurningPoints, { code: 'abc', info: SEEN, points: [POINT], finished: true, positions, sat: true });
  expect(screen.getByText('Claim b4. That cost 12 %: from 99 % with the best choice to 87 %.')).toBeTruthy();
  expect(screen.getByText('Better: Claim h5. Two dice.')).toBeTruthy();
  await fireEvent.click(screen.getByText('Try it from here'));
  await vi.waitFor(() => expect(start).toHaveBeenCalledWith('new'));
  expect(fork).toHaveBeenCalledWith('abc', 8);
  expect(bot.mock.calls).toEqual([
    ['new', 0, 'star'],
    ['new', 2, 'rookie'],
  ]);
});

test('without turning points the player is praised; spectators can’t replay any', () => {
  render(TurningPoints, { code: 'abc', info: SEEN, points: [], finished: true, positions, sat: false });
  expect(screen.getByText('Played well: no choice cost more than 3 %.')).toBeTruthy();
  cleanup();
  render(TurningPoints, { code: 'abc', info: SEEN, points: [POINT], finished: true, positions, sat: false });
  expect(screen.queryByText('Try it from here')).toBeNull();
});

test('a running analysis is polled until it is done', async () => {
  vi.useFakeTimers();
  const answers = ['working', 'working', 'done'].map((state) => ({ state }) as AnalysisInfo);
  const asked = vi.spyOn(api, 'analysis').mockImplementation(() => Promise.resolve(answers.shift()!));
  const back = new GameReview('abc');
  await back.load();
  expect(back.going).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(3);
  expect(back.going).toBe(false);
});

test('the first result is shown as soon as it is there', async () => {
  vi.useFakeTimers();
  const answers = [0, 124, 124].map((steps) => ({ state: 'working', steps }) as AnalysisInfo);
  const asked = vi.spyOn(api, 'analysis').mockImplementation(() => Promise.resolve(answers.shift()!));
  const back = new GameReview('abc');
  await back.load();
  await vi.advanceTimersByTimeAsync(500);
  expect([asked.mock.calls.length, back.found?.steps]).toEqual([2, 124]);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked, 'later ones every other second').toHaveBeenCalledTimes(2);
  back.end();
});

test.each(['none', 'interrupted'] as const)(
  'what a restart of the server lost (%s) is asked for again',
  async (state) => {
    vi.useFakeTimers();
    const answers = ['working', state, 'waiting', 'done'].map((each) => ({ state: each }) as AnalysisInfo);
    vi.spyOn(api, 'analysis').mockImplementation(() => Promise.resolve(answers.shift()!));
    const begun = vi.spyOn(api, 'analyse').mockResolvedValue(undefined);
    const back = new GameReview('abc');
    await back.load();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(back.found?.state).toBe('done');
  },
);

test('a stopped analysis stays stopped', async () => {
  vi.useFakeTimers();
  const answers = ['working', 'stopped'].map((state) => ({ state }) as AnalysisInfo);
  vi.spyOn(api, 'analysis').mockImplementation(() => Promise.resolve(answers.shift()!));
  const begun = vi.spyOn(api, 'analyse').mockResolvedValue(undefined);
  const back = new GameReview('abc');
  await back.load();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).not.toHaveBeenCalled();
});

test('the remaining time is estimated from the speed so far', async () => {
  expect([null, 20, 50, 89, 290].map(remainingTime)).toEqual([
    '',
    'Less than a minute to go.',
    'About a minute to go.',
    'About a minute to go.',
    'About 5 minutes to go.',
  ]);
  await words.load('nl');
  expect(remainingTime(290)).toBe('Nog ongeveer 5 minuten.');
});

test('the numbers of a turning point add up after rounding', () => {
  expect(changeOf({ before: 0.9849, after: 0.0651 })).toEqual({ before: 98, after: 7, cost: 91, change: '−91' });
  expect(changeOf({ before: 0.2, after: 0.32 })).toMatchObject({ cost: -12, change: '+12' });
});

test('the interval of a chance is that of Wilson, and never leaves 0 to 100 %', () => {
  const [low, high] = interval(0.5, 150);
  expect([low, high].map((end) => Number(end.toFixed(3)))).toEqual([0.421, 0.579]);
  expect(interval(0, 150)[0]).toBe(0);
  expect(interval(1, 150)[1]).toBe(1);
  expect(margin(150)).toBe(8);
});

test('a line falls by what its own choices cost, and jumps by what luck changed', () => {
  const moments = [
    { step: 0, actor: null, chances: [0.5, 0.5] },
    { step: 3, actor: 0, chances: [0.1, 0.9] },
    { step: 4, actor: 1, chances: [0.3, 0.7] },
  ];
  const losses = [{ step: 3, seat: 0, loss: 0.7, best: [0.8, 0.2], chosen: [0.1, 0.9] }];
  const luck = [
    { step: 0, changes: [0, 0] },
    { step: 4, changes: [0.25, -0.25] },
  ];
  const drawn = (seat: number): number[][] =>
    lineOf(moments, seat, fallsOf({ moments, losses, luck }, seat)).map(([x, y]) => [x, Math.round(y)]);
  expect(drawn(0)).toEqual([
    [0, 50],
    [0.5, 80],
    [0.5, 10],
    [1, 10],
    [2, 5],
    [2, 30],
  ]);
  expect(drawn(1)).toEqual([
    [0, 50],
    [1, 90],
    [2, 95],
    [2, 70],
  ]);
});

test('each seat has its symbol on its line three times', () => {
  const history = percents(Array.from({ length: 40 }, (_, step) => ({ step, actor: 0, chances: [0.5, 0.5] })));
  const signs = symbolPositions(history, scaleOf(history, 400, 100, 100));
  expect(signs).toHaveLength(6);
  expect(new Set(signs.map(({ x }) => x)).size).toBe(6);
});

test('the board is shown before a choice and after a random event, as that player saw it', async () => {
  const seen = {
    table: 'abc',
    game: 'toy',
    seats: 2,
    people: [],
    bots: [],
    avatars: [],
    you: { person: null, seat: null },
  };
  const painting = { lines: [], menu: [], scores: [] };
  const views = vi.spyOn(api, 'replay').mockResolvedValue(Array(20).fill({}));
  const paintings = vi.spyOn(api, 'paintings').mockResolvedValue(Array(20).fill(painting));
  const shown = new Positions(seen as unknown as TableResponse, plainTableUi('toy'));
  const luck = { ...POINT, step: 12, kind: 'luck', better: '', seat: 1 };
  render(TurningPoints, {
    code: 'abc',
    info: SEEN,
    points: [POINT, luck],
    finished: true,
    positions: shown,
    sat: false,
  });
  expect(
    await screen.findByRole('img', { name: 'The board before step 9. Played: Claim b4. Better: Claim h5.' }),
  ).toBeTruthy();
  expect(await screen.findByRole('img', { name: 'The board after step 12. Played: Claim b4.' })).toBeTruthy();
  expect(views.mock.calls.map(([, , seat]) => seat)).toEqual([0, 1]);
  expect((await shown.after(8, 0)).step).toBe(8);
  await shown.after(9, 0);
  expect(views).toHaveBeenCalledTimes(2);
  expect(paintings).toHaveBeenCalledTimes(2);
});
