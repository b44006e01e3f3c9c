import { beforeEach, describe, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { byTurn, gameAndPlayers, isMyTurn, statusLine, wonBy } from '../../src/home/table_status';
import { catalogue } from '../../src/net/catalogue.svelte';
import type { TableResponse } from '../../src/net/wire';
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
const BOT = { seat: 2, level: 'regular', name: 'Toots' };

function table(change: Partial<TableResponse> = {}): TableResponse {
  return {
    table: 'abc',
    game: 'bebop',
    status: 'playing',
    seats: 3,
    people: PEOPLE,
    bots: [BOT],
    paused: 'no',
    you: { person: 'p1', seat: 0 },
    actors: [0],
    outcome: null,
    ...change,
  } as unknown as TableResponse;
}

beforeEach(() => {
  catalogue.games = [aCard({ key: 'bebop', name: { en: 'Bebop!', nl: 'Bebop!' } })];
  return words.load('en');
});

describe('a table on the first page', () => {
  test.each([
    ['waits for me', {}, 'Your turn'],
    ['waits for somebody else', { actors: [1, 2] }, 'Waiting for Bob and Toots'],
    ['waits for its clock', { actors: ['clock'] }, 'Under way'],
    ['is paused', { paused: 'yes' as const }, 'Paused'],
    ['has a free seat', { status: 'gathering' as const, bots: [], actors: [] }, 'One seat is open'],
    ['is full', { status: 'gathering' as const, actors: [] }, 'Ready to start'],
    ['was won by me', ended([0]), 'You won'],
    ['was won by two', ended([0, 2]), 'You and Toots won'],
    ['was won by another', ended([1]), 'Bob won'],
  ])('%s', (_, change, line) => {
    expect(statusLine(table(change))).toBe(line);
  });

  test('comes first if it waits for me, and last before its game starts', () => {
    const [mine, theirs, gathering] = [table(), table({ actors: [1] }), table({ status: 'gathering', actors: [] })];
    expect(byTurn([gathering, theirs, mine])).toEqual([mine, theirs, gathering]);
  });

  test('never waits for a spectator', () => {
    expect(isMyTurn(table({ you: { person: null, seat: null } }))).toBe(false);
  });

  test('names the other players', () => {
    expect(gameAndPlayers(table())).toBe('Bebop! with Bob and Toots');
    expect(gameAndPlayers(table({ people: [PEOPLE[0]!], bots: [] }))).toBe('Bebop!');
  });

  test('names the winner of others’ games, if known', () => {
    expect(wonBy(['Cleo'])).toBe('Cleo won');
    expect(wonBy([])).toBe('Over');
  });
});

function ended(winners: number[]): Partial<TableResponse> {
  return { status: 'finished', actors: [], outcome: { winners, scores: [1, 2, 3] } };
}
