import type { Tagged } from '$lib/contract';
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { plainTableUi } from '../../src/plain';
import type { Answer, TableRequest, Hint, Transport, TableInfo } from '../../src/net/wire';
import HintPanel from '../../src/table/hint/HintPanel.svelte';
import { badgePosition, mayHint, placesOf, spoken } from '../../src/table/hint/hint';

const ADA = { person: 'p1', name: 'Ada', seat: 0, connected: true, left: false };
const BOB = { person: 'p2', name: 'Bob', seat: 1, connected: true, left: false };
const TOLD: Hint = {
  type: 'hint',
  id: 'h',
  chance: 0.41,
  error: 0.02,
  playouts: 2000,
  soon: false,
  moves: [
    {
      action: { type: 'Lay', slot: 0 },
      title: 'Lay the king',
      reason: 'It wins.',
      rank: 1,
      certain: 6,
      chance: 0.49,
      expected: 3.1,
    },
    {
      action: { type: 'Lay', slot: 1 },
      title: 'Lay the ten',
      reason: 'About as good.',
      rank: 1,
      certain: 0,
      chance: 0.48,
      expected: 0,
    },
    { action: null, title: 'Wait', reason: 'See first.', rank: 3, certain: 0, chance: 0.4, expected: 0 },
  ],
};

const LAYS = [{ action: 'Lay', fields: ['slot'], rows: [[0], [1]], cautions: {} }];

let store: TableStore;
let asked: TableRequest[];
let answer: Answer;

function sit(change: object = {}): Table {
  const seen = {
    status: 'playing',
    people: [ADA],
    bots: [],
    host: 'p1',
    paused: 'no',
    practice: true,
    house_rules: { hints: false },
  };
  store.table = { ...seen, ...change } as unknown as TableInfo;
  store.you = { person: 'p1', seat: 0 };
  const post = { state: 'open', request: (message: TableRequest) => (asked.push(message), Promise.resolve(answer)) };
  return new Table(store, post as unknown as Transport, plainTableUi('toy'));
}

beforeEach(async () => {
  await words.load('en');
  [store, asked, answer] = [new TableStore(), [], TOLD];
});
afterEach(cleanup);

test('hints are available against bots only, or if the host allows them', () => {
  expect(mayHint(sit())).toBe(true);
  expect(mayHint(sit({ people: [ADA, BOB] }))).toBe(false);
  expect(mayHint(sit({ people: [ADA, BOB], house_rules: { hints: true } }))).toBe(true);
});

test('a move with a lower chance than the obvious one is not shown as a gain', async () => {
  const table = sit();
  await table.hints.think();
  render(HintPanel, { table });
  await tick();
  const chips = [...document.querySelectorAll('.chips')].map((each) => each.querySelector('.wins') !== null);
  expect(chips).toEqual([true, true, false]);
});

test('the first hint of a game asks for a confirmation', async () => {
  const table = sit({ practice: false });
  table.hints.start();
  render(HintPanel, { table });
  expect(screen.getByText('After a hint this game counts as practice. Show the hint?')).toBeTruthy();
  expect(asked).toEqual([]);
  await fireEvent.click(screen.getByText('Go on'));
  expect(asked).toEqual([{ type: 'hint' }]);
});

test('the first move is previewed, numbers select another, Enter plays it', async () => {
  const table = sit();
  const act = vi.spyOn(table, 'act').mockResolvedValue(true);
  const consider = vi.spyOn(table, 'consider');
  await table.hints.think();
  render(HintPanel, { table });
  expect(consider).toHaveBeenLastCalledWith(TOLD.moves[0]!.action);
  expect(screen.getByText('win 41 → 49 %')).toBeTruthy();
  expect(screen.getByText('+6 now')).toBeTruthy();
  expect(screen.getAllByText('about as good')).toHaveLength(1);
  expect(screen.getByText('+3 by the end')).toBeTruthy();
  await fireEvent.keyDown(window, { key: '2' });
  expect(consider).toHaveBeenLastCalledWith(TOLD.moves[1]!.action);
  await fireEvent.keyDown(window, { key: 'Enter' });
  expect(act).toHaveBeenCalledWith(TOLD.moves[1]!.action);
  expect(table.hints.open).toBe(false);
});

test('Escape closes, and advice to wait has no play button', async () => {
  const table = sit();
  await table.hints.think();
  render(HintPanel, { table });
  expect(screen.getByText('Play this move')).toBeTruthy();
  await fireEvent.keyDown(window, { key: '3' });
  expect(screen.queryByText('Play this move')).toBeNull();
  await fireEvent.keyDown(window, { key: 'Escape' });
  expect(table.hints.state).toBe('closed');
});

test('a hint survives moves of others, and expires when there is nothing left to decide', async () => {
  const lays = LAYS;
  const table = sit();
  store.position = { view: { laid: 0 }, legal: lays } as never;
  await table.hints.think();
  render(HintPanel, { table });
  store.position = { view: { laid: 1 }, legal: [...lays] } as never;
  await tick();
  expect(table.hints.state).toBe('answered');
  store.position = { view: { laid: 2 }, legal: [] } as never;
  await tick();
  expect(screen.getByText('The game has gone on, and this hint no longer holds.')).toBeTruthy();
  expect(table.hints.hint).toBeNull();
});

const asks = (question: string, legal: object[] = LAYS) => ({ view: {}, question, legal }) as never;

test('a hint stays while its moves are legal, even if more moves become legal', async () => {
  const table = sit();
  store.position = asks('Lay a card.');
  await table.hints.think();
  render(HintPanel, { table });
  store.position = asks('Lay a card.', [...LAYS, { action: 'Pass', fields: [], rows: [[]], cautions: {} }]);
  await tick();
  expect(table.hints.hint).toBe(TOLD);
});

test('a shown hint expires with its decision, and can be requested again', async () => {
  vi.useFakeTimers();
  const table = sit();
  store.position = asks('Promise something.');
  store.animations.set({ ...(store.position as object), actors: [0] } as never);
  await table.hints.think();
  render(HintPanel, { table });
  store.position = asks('JUMP!');
  await tick();
  expect(screen.getByText(/this hint no longer holds/)).toBeTruthy();
  expect(screen.getByText('Ask for another')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(table.hints.state, 'nobody need close it').toBe('closed');
  vi.useRealTimers();
});

test('a pending hint is requested again when the decision changes, with a message', async () => {
  vi.useFakeTimers();
  const table = sit();
  store.position = asks('Promise something.');
  const answers: ((told: Answer) => void)[] = [];
  (table.transport as { request: unknown }).request = () => new Promise<Answer>((resolve) => answers.push(resolve));
  void table.hints.think();
  render(HintPanel, { table });
  store.position = asks('JUMP!');
  await tick();
  expect(screen.getByText(/asks something else of you/, { selector: 'p:not(.spoken)' })).toBeTruthy();
  answers[0]!(TOLD);
  await vi.advanceTimersByTimeAsync(0);
  expect(table.hints.state, 'the answer was about the choice before').toBe('thinking');
  expect(answers, 'not sooner than a table answers').toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_200);
  answers[1]!(TOLD);
  await vi.advanceTimersByTimeAsync(0);
  expect(table.hints.hint).toBe(TOLD);
  vi.useRealTimers();
});

test('my own move closes a hint without a message', async () => {
  const table = sit();
  store.position = asks('Lay a card.');
  await table.hints.think();
  void table.act({ type: 'Lay', slot: 1 } as never);
  expect(table.hints.state).toBe('closed');
});

test('a refusal is shown, and can be retried', async () => {
  const table = sit();
  answer = { type: 'error', id: 'h', code: 'no-advice', sentence: '', detail: null };
  await table.hints.think();
  render(HintPanel, { table });
  expect(screen.getByRole('alert').textContent).toBe('No advice in time. Ask again in a moment.');
  answer = TOLD;
  await fireEvent.click(screen.getByText('Try again'));
  expect(await screen.findByText('3 ways to go')).toBeTruthy();
});

test('an answer after closing is ignored', async () => {
  const table = sit();
  const thinking = table.hints.think();
  table.hints.close();
  await thinking;
  expect(table.hints.state).toBe('closed');
});

test('the hint is announced completely', () => {
  expect(spoken(TOLD)).toContain('First: Lay the king, +6 now, win chance 41 to 49 percent. It wins.');
});

const hintsAsked = (): number => asked.filter(({ type }) => type === 'hint').length;

test('while the search is being prepared the choice of a Regular is shown, and replaced by a better hint', async () => {
  vi.useFakeTimers();
  const table = sit();
  const obvious: Hint = { ...TOLD, soon: true, chance: null, playouts: 0, moves: [TOLD.moves[1]!] };
  answer = obvious;
  await table.hints.think();
  render(HintPanel, { table });
  expect(screen.getByText(/A better hint comes by itself/, { selector: '.soon' })).toBeTruthy();
  answer = { type: 'error', id: null, code: 'busy', sentence: '', detail: null };
  await vi.advanceTimersByTimeAsync(4_000);
  answer = obvious;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(table.hints.hint).toBe(obvious);
  answer = TOLD;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(table.hints.hint).toBe(TOLD);
  expect(hintsAsked()).toBe(4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hintsAsked(), 'nobody asks any more').toBe(4);
  vi.useRealTimers();
});

test('a closed hint is not requested again', async () => {
  vi.useFakeTimers();
  const table = sit();
  answer = { ...TOLD, soon: true };
  await table.hints.think();
  table.hints.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(hintsAsked()).toBe(1);
  vi.useRealTimers();
});

test('a place on the board shows the numbers of all its moves', () => {
  const targets = (action: Tagged): string[] => ['pile', `card-${(action as { slot?: number }).slot}`];
  expect([...placesOf(TOLD.moves, targets)]).toEqual([
    ['pile', [0, 1]],
    ['card-0', [0]],
    ['card-1', [1]],
  ]);
});

test('a number covers no text of its place or the place beside it', () => {
  const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
  const [song, badge] = [box(100, 100, 170, 200), { wide: 20, high: 24, in: 6 }];
  const [tempo, title, beside] = [box(102, 102, 140, 118), box(100, 160, 170, 200), box(165, 102, 200, 118)];
  expect(badgePosition(song, badge, [])).toMatchObject({ x: 106, y: 106 });
  expect(badgePosition(song, badge, [tempo, title])).toMatchObject({ x: 164, y: 106 });
  expect(badgePosition(song, badge, [tempo, beside])).toMatchObject({ x: 106, y: 194 });
  const corners = [106, 164].flatMap((x) => [106, 194].map((y) => box(x - 5, y - 5, x + 5, y + 5)));
  expect(badgePosition(song, badge, corners)).toMatchObject({ x: 164, y: 150 });
});
