import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { TableState } from '$lib/table/table_state.svelte';
import { sendHeartbeats } from '../../src/net/activity';
import type { TableFrame, Position, TableInfo } from '../../src/net/wire';
import { absentPlayer, seatLabel, presenceQuestion } from '../../src/table/absent_players';

const someone = (name: string, seat: number | null, more: object = {}): object => ({
  person: name,
  name,
  seat,
  connected: true,
  left: false,
  bot_plays: false,
  inactive: false,
  bot_in: null,
  votes: [],
  ...more,
});

/** A table where Bob is asked, as Ada sees it. */
function seen(bob: object, more: object = {}, ada: object = {}): TableState {
  const people = [someone('Ada', 0, ada), someone('Bob', 1, bob)];
  const table = {
    status: 'playing',
    people,
    house_rules: { wait: 120, idle: 'vote' },
    ...more,
  } as unknown as TableInfo;
  const store = new TableStore();
  store.you = { person: 'Ada', seat: 0 };
  store.receive({ type: 'table', seq: 1, table });
  store.animations.set({ actors: [1] } as unknown as Position);
  return new TableState(store);
}

beforeEach(() => words.load('en'));
afterEach(() => void vi.useRealTimers());

describe('an absent player', () => {
  test('does not exist while all are present', () => {
    expect(absentPlayer(seen({}))).toBeNull();
  });

  test('is named with the time left until a bot plays, also on the seat', () => {
    const table = seen({ connected: false, bot_in: 83 });
    expect(absentPlayer(table)).toMatchObject({ sentence: 'Bob is away. A bot plays on in 1:23.', mayNudge: false });
    expect(seatLabel(table, 1)).toBe('away · bot in 1:23');
    expect(seatLabel(seen({ connected: false }), 1)).toBe('away');
  });

  test.each([
    ['vote', true, true],
    ['nudge', true, false],
    ['wait', false, false],
  ])('offers the actions of the house rules: %s', (idle, mayNudge, mayVote) => {
    const table = seen({ inactive: true, votes: ['Ada'] }, { house_rules: { wait: 120, idle } });
    expect(absentPlayer(table)).toMatchObject({ mayNudge, mayVote, voted: true });
    expect(absentPlayer(table)?.sentence).toBe('Bob has been silent for a while. One vote for a bot.');
  });
});

describe('I', () => {
  test('am asked whether I am still there after inactivity or a nudge', () => {
    expect(presenceQuestion(seen({}))).toBe('');
    expect(presenceQuestion(seen({}, {}, { inactive: true }))).toBe('Still there? The others are waiting for you.');
    const nudged = seen({});
    nudged.store.receive({ type: 'nudge', person: 'Bob' });
    expect(presenceQuestion(nudged)).toBe('Bob asks: are you still there?');
  });

  test('am told after my return how many moves a bot made for me', () => {
    const { store } = seen({}, {}, { bot_plays: true });
    const table = seen({}).store.table!;
    store.receive({ type: 'table', seq: 2, table });
    expect(store.standInMoves).toBe(0);
    const welcome = { type: 'welcome', seq: 3, you: store.you, table, position: null, missed: null, chat: [] };
    store.receive({ ...welcome, clock: null, undo: null, bot_moves: 3 } as unknown as TableFrame);
    expect(store.standInMoves).toBe(3);
  });
});

test('input sends a rate-limited heartbeat; a new page sends one by itself', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const give = vi.fn();
  let [waited, reading] = [false, false];
  const stop = sendHeartbeats({ give, waited: () => waited, reading: () => reading });
  dispatchEvent(new Event('pointerdown'));
  dispatchEvent(new Event('keydown'));
  expect(give).toHaveBeenCalledTimes(1);
  waited = true; // the others ask
  dispatchEvent(new Event('keydown'));
  expect(give).toHaveBeenCalledTimes(2);
  waited = false;
  vi.advanceTimersByTime(60_000);
  expect(give).toHaveBeenCalledTimes(2);
  reading = true;
  vi.advanceTimersByTime(60_000);
  expect(give).toHaveBeenCalledTimes(4);
  stop();
  dispatchEvent(new Event('pointerdown'));
  expect(give).toHaveBeenCalledTimes(4);
});
