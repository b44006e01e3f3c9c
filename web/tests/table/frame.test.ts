import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { settings } from '$lib/settings.svelte';
import { Table } from '$lib/table/table.svelte';
import { plainTableUi } from '../../src/plain';
import Announcer from '../../src/table/feed/Announcer.svelte';
import HandLine from '../../src/table/HandLine.svelte';
import Inspector from '../../src/table/Inspector.svelte';
import Ending from '../../src/table/Ending.svelte';
import Clock from '../../src/table/bar/Clock.svelte';
import { api } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import Prompt from '../../src/table/Prompt.svelte';
import { undoResultText } from '../../src/table/undo';
import type { Answer, TableRequest, Transport, TableInfo } from '../../src/net/wire';
import type { Credentials } from '$types/wire';
import { aCard } from '../game_cards';

const PEOPLE = ['Ada', 'Bob'].map((name, seat) => ({
  person: `p${seat + 1}`,
  name,
  seat,
  connected: true,
  ready: true,
  muted: false,
  bot_plays: false,
  inactive: false,
  bot_in: null,
  votes: [],
  left: false,
  invited: false,
  wants_avatar: null,
  wants_seat: null,
  reclaims: null,
}));
const SEEN = {
  table: 'abc',
  game: 'toy',
  status: 'playing',
  seats: 2,
  people: PEOPLE,
  host: 'p1',
  bots: [],
  paused: 'no',
  undo_asked: null,
} as unknown as TableInfo;

let post: Transport & { asked: TableRequest[]; answer: object };
let store: TableStore;
let table: Table;

function sit(change: Partial<TableInfo> = {}, actors = [0]): void {
  const legal = [{ action: 'Step', fields: ['to'], rows: [['a1'], ['b2']], cautions: { '1': [danger] } }];
  const position = { view: {}, actors, legal, outcome: null, question: 'Where to?', decided: '' };
  const seen = { ...SEEN, ...change };
  const you = { person: 'p1', seat: 0 };
  store.receive({
    type: 'welcome',
    seq: 1,
    you,
    table: seen,
    position,
    missed: null,
    chat: [],
    clock: null,
    undo: null,
    bot_moves: 0,
  });
}

const danger = { rule: 'edge', key: 'edge', params: {}, sentence: 'You may fall off.' };
const safe = { type: 'Step', to: 'a1' };
const risky = { type: 'Step', to: 'b2' };

beforeEach(async () => {
  await words.load('en');
  store = new TableStore();
  post = {
    state: 'open',
    restarting: false,
    asked: [],
    answer: { type: 'ack', id: 'x', seq: 2 },
    reconnect: () => undefined,
    request(message) {
      post.asked.push(message);
      return Promise.resolve(post.answer as Answer);
    },
  };
  table = new Table(store, post, plainTableUi('toy'));
  sit();
});
afterEach(() => {
  table.cancel(); // what is considered is not asked about in the next test
  cleanup();
  settings.change({ confirm: false });
});

describe('the prompt', () => {
  test.each([
    ['asks me', {}, [0], 'Where to?'],
    ['says for whom we wait', {}, [1], 'Waiting for Bob'],
    ['says that I have paused', { paused: 'yes' as const }, [0], 'You have paused the game.'],
    ['says who has paused', { paused: 'yes' as const, host: 'p2' }, [0], 'Bob has paused the game.'],
    ['puts a wish to take back to me', asking(['p1']), [0], 'Bob would like to take a move back.'],
    ['says who still has to agree', mine(), [1], 'You asked to take your move back. Waiting for Bob (away).'],
    ['says that one can play on', mine(), [0], 'You asked to take your move back. Waiting for Bob (away). Or play on.'],
    [
      'says when a pause has lasted long enough',
      { paused: 'yes' as const, pause_over: true, host: 'p2' },
      [0],
      'The pause has lasted long enough: you can go on.',
    ],
  ])('%s', (_, change, actors, sentence) => {
    sit(change, actors);
    render(Prompt, { table });
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  test('reports a slow pending move, and that it survives a lost connection', async () => {
    vi.useFakeTimers();
    let answered: (answer: Answer) => void = () => undefined;
    post.request = () => new Promise((resolve) => (answered = resolve));
    render(Prompt, { table });
    void table.act(safe);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.getByText('Where to?')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.getByText('Your move is on its way; the connection is slow.')).toBeTruthy();
    cleanup();
    Object.assign(post, { state: 'lost' });
    render(Prompt, { table });
    expect(screen.getByText('Connection lost. Your move goes out as soon as it is back.')).toBeTruthy();
    Object.assign(post, { state: 'open' });
    answered({ type: 'ack', id: 'x', seq: 2 } as Answer);
    await vi.advanceTimersByTimeAsync(0);
    cleanup();
    render(Prompt, { table });
    expect(screen.getByText('Where to?')).toBeTruthy();
    vi.useRealTimers();
  });

  test('does not name players who are ready', () => {
    const ui = { ...plainTableUi('toy'), awaitedSeats: () => [1] };
    table = new Table(store, post, ui);
    sit({}, [1, 2]);
    expect(table.prompt).toBe('Waiting for Bob');
  });

  test.each([
    ['as long as bots play', null, 1],
    ['once the game is over, as in the last lesson of a course', { ranks: [1, 2], scores: [74, 69] }, 0],
  ])('offers to skip to my turn: %s', (_, outcome, ways) => {
    sit({ people: PEOPLE.slice(0, 1) }, outcome ? [] : [1]);
    store.animations.set({ ...store.position!, outcome } as never);
    render(Prompt, { table });
    expect(screen.queryAllByRole('button', { name: 'Skip to my turn' })).toHaveLength(ways);
  });

  test('turns into a strip while disconnected', () => {
    Object.assign(post, { state: 'lost' });
    render(Prompt, { table });
    expect(screen.getByText(/The connection is lost/)).toBeTruthy();
    expect(table.legal).toEqual([]);
  });

  test('names everybody who must agree, on any width', () => {
    sit(mine());
    render(Prompt, { table });
    expect(screen.getByText(/Waiting for Bob/).className).toContain('whole');
  });

  test('withdraws my own undo request', () => {
    sit(mine());
    render(Prompt, { table });
    screen.getByRole('button', { name: 'Never mind' }).click();
    expect(post.asked).toEqual([{ type: 'withdraw-undo' }]);
  });

  test.each([
    ['the host', 'p1', false, true],
    ['another player', 'p2', false, false],
    ['another player, after a long pause', 'p2', true, true],
  ])('lets %s resume', (_, host, pause_over, may) => {
    sit({ paused: 'yes', host, pause_over });
    render(Prompt, { table });
    expect(screen.queryByRole('button', { name: 'Go on' }) !== null).toBe(may);
  });

  test('sends my answer to an undo request', () => {
    sit(asking(['p1']));
    render(Prompt, { table });
    screen.getByRole('button', { name: 'No' }).click();
    expect(post.asked).toEqual([{ type: 'answer-undo', agrees: false }]);
  });
});

describe('a pause', () => {
  test('has a labelled clock', () => {
    sit({ paused: 'yes' });
    store.receive({ type: 'clock', seq: 2, clock: { kind: 'pause', left: 1700, of: 1800, running: false, seats: [] } });
    render(Clock, { table });
    expect(screen.getByText('Pause left')).toBeTruthy();
    expect(screen.getByRole('timer').textContent).toBe('28:20');
  });
});

describe('a rematch', () => {
  test.each([
    ['against bots begins at once', [PEOPLE[0]!], true],
    ['among people gathers them first', PEOPLE, false],
  ])('%s', async (_, people, start) => {
    const rematch = vi.spyOn(api, 'rematch').mockResolvedValue({ table: 'next' });
    sit({ people, status: 'finished' });
    render(Ending, { table, model: table.ui.model(table), close: () => undefined });
    screen.getByRole('button', { name: /Once more/ }).click();
    await vi.waitFor(() => expect(rematch.mock.lastCall).toEqual(['abc', start, 'same']));
  });
});

describe('a suggestion after a game', () => {
  test('is offered with one press', async () => {
    const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'next' } as Credentials);
    sit({ people: [PEOPLE[0]!], status: 'finished', bots: [{ seat: 1, level: 'rookie', name: 'Pip' }] });
    store.animations.set({ ...store.position!, outcome: { winners: [0], scores: [3, 2] } });
    vi.spyOn(catalogue, 'load').mockResolvedValue();
    catalogue.games = [aCard({ key: table.game, bots: ['rookie', 'regular'] })];
    render(Ending, { table, model: table.ui.model(table), close: () => undefined });
    (await screen.findByRole('button', { name: 'Play at level Regular' })).click();
    await vi.waitFor(() => expect(open.mock.lastCall?.[0]).toMatchObject({ bots: { 1: 'regular' }, start: true }));
  });
});

describe('the inspector', () => {
  const read = (container: HTMLElement): (string | null)[] =>
    [...container.querySelectorAll('[aria-live]')].map((one) => one.textContent);

  test('announces why an action is illegal', async () => {
    sit();
    const { container } = render(Announcer, { table });
    table.showNotice('Not over the edge.');
    await vi.waitFor(() => expect(read(container)).toContain('Not over the edge.'));
  });

  test('says so at once, and only until the next press', async () => {
    sit();
    const { container } = render(Announcer, { table });
    table.showNotice('Not over the edge.');
    const urgent = [...container.querySelectorAll('[aria-live=assertive]')];
    await vi.waitFor(() => expect(urgent.map((one) => one.textContent)).toContain('Not over the edge.'));
    table.consider(safe); // a mouse that passes by presses nothing
    expect(table.notice?.sentence).toBe('Not over the edge.');
    table.dismissNotice();
    expect(table.notice).toBeNull();
  });

  test('announces the consequences and cautions of a move', async () => {
    sit();
    post.answer = { type: 'preview', events: [], sentences: ['One step further.'], points: [0], undo: 'free' };
    const { container } = render(Announcer, { table });
    table.consider({ type: 'Step', to: 'b2' } as never);
    await vi.waitFor(() => expect(read(container)).toContain(`If you do this: One step further. ${danger.sentence}`));
  });
});

describe('a failed undo request', () => {
  const failed = (
    person: string,
    reason: 'refused' | 'withdrawn' | 'late',
    refused: string[] = [],
  ): Partial<TableInfo> => ({
    undo_failed: { person, reason, refused },
  });

  test.each([
    ['refused', failed('p1', 'refused', ['p2']), 'Bob would rather not: your move stays.'],
    ['withdrawn', failed('p2', 'withdrawn'), 'Bob no longer asks to take a move back.'],
    ['left unanswered', failed('p1', 'late'), 'Not everybody answered in time: your move stays.'],
  ])('that is %s is shown and announced', async (_, change, sentence) => {
    sit(mine());
    render(HandLine, { table, model: null });
    render(Inspector, { table, model: table.ui.model(table) });
    const { container } = render(Announcer, { table });
    store.receive({ type: 'table', seq: 2, table: { ...SEEN, ...change } });
    await vi.waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
    expect([...container.querySelectorAll('[aria-live]')].map((one) => one.textContent)).toContain(sentence);
  });

  test.each([
    ['who refused it', failed('p2', 'refused', ['p1'])],
    ['who withdrew it', failed('p1', 'withdrawn')],
  ])('is not shown to those %s', (_, change) => {
    sit(change);
    expect(undoResultText(store)).toBe('');
  });
});

/** Ada asks, and Bob is away. */
function mine(): Partial<TableInfo> {
  const people = [PEOPLE[0]!, { ...PEOPLE[1]!, connected: false }];
  return { people, undo_asked: { person: 'p1', agreed: [], refused: [], needed: ['p2'] } };
}

function asking(needed: string[]): Partial<TableInfo> {
  return { undo_asked: { person: 'p2', agreed: [], refused: [], needed } };
}

describe('an action', () => {
  test('is performed at once with a mouse', () => {
    table.choose(safe);
    expect(post.asked).toEqual([{ type: 'act', action: safe }]);
  });

  test.each([
    ['with a finger', safe, 'touch', false],
    ['if the reader wants to be asked', safe, 'mouse', true],
    ['if it may cost something', risky, 'mouse', false],
  ])('waits for the confirm button %s', (_, action, pointer, confirm) => {
    settings.change({ confirm });
    render(Inspector, { table, model: table.ui.model(table) });
    table.choose(action, pointer);
    expect(post.asked).toEqual([]);
    return vi.waitFor(() => {
      screen.getByRole('button', { name: 'Do it' }).click();
      expect(post.asked.at(-1)).toEqual({ type: 'act', action });
    });
  });

  test('with a caution shows the caution', async () => {
    render(Inspector, { table, model: table.ui.model(table) });
    table.consider(risky);
    expect(await screen.findByText('You may fall off.')).toBeTruthy();
  });

  test('that is refused shows the reason, with a link to the rule', async () => {
    render(HandLine, { table, model: table.ui.model(table) });
    post.answer = { type: 'error', id: 'x', code: 'illegal', sentence: 'Not over the edge.', detail: { rule: 'edge' } };
    expect(await table.act(safe)).toBe(false);
    expect(await screen.findByText('Not over the edge.')).toBeTruthy();
    (await screen.findByRole('button', { name: 'The rule' })).click();
    expect(table.rules).toEqual({ open: true, rule: 'edge' });
  });

  test('that is pending leaves no legal actions', async () => {
    expect(table.legal).toHaveLength(2);
    const done = table.act(safe);
    expect(table.legal).toEqual([]);
    await done;
    expect(table.offers('Step')).toEqual([safe, risky]);
  });

  test('is previewed once, after a short delay', async () => {
    vi.useFakeTimers();
    post.answer = {
      type: 'preview',
      id: 'x',
      events: [],
      sentences: [],
      points: [0, 0],
      chance_follows: false,
      undo: 'free',
    };
    for (const action of [safe, risky, safe]) table.consider(action);
    await vi.advanceTimersByTimeAsync(200);
    expect(post.asked).toEqual([{ type: 'preview', action: safe }]);
    table.consider(null);
    table.consider({ ...safe });
    await vi.advanceTimersByTimeAsync(200);
    expect(post.asked).toHaveLength(1);
    expect(table.intentPreview).not.toBeNull();
    vi.useRealTimers();
  });
});
