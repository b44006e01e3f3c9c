/** The score of a party's evening, podiums with shared places, and who has the remote. */
import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { api } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import type { EveningGame } from '$types/wire';
import type { PersonInfo, TableInfo, Transport } from '../../src/net/wire';
import { leaders, podium, standings } from '../../src/party/evening';
import PartyNotice from '../../src/party/PartyNotice.svelte';
import ReclaimSeat from '../../src/party/phone/ReclaimSeat.svelte';
import Remote from '../../src/party/phone/Remote.svelte';
import { aCard } from '../game_cards';

const person = (id: string, name: string, seat: number | null, more: Partial<PersonInfo> = {}): PersonInfo => ({
  connected: true,
  ready: false,
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
  person: id,
  name,
  seat,
  ...more,
});
const FIVE = [
  person('p1', 'Noor', 0),
  person('p2', 'Timo', 1),
  person('p3', 'Saar', 2),
  person('p4', 'Ida', 3),
  person('p5', 'Wout', null),
];
const EVENING: EveningGame[] = [
  { game: 'bpm', players: 4, points: { p1: 3, p2: 1, p3: 2, p5: 0 }, watched: ['p4'] },
  { game: 'toy', players: 4, points: { p1: 0, p2: 3, p3: 2, p4: 0 }, watched: ['p5'] },
];

let store: TableStore;
const post = { request: async () => ({ type: 'ack', id: '', seq: 1 }) } as unknown as Transport;

function table(me: string | null, change: Partial<TableInfo> = {}): void {
  const people = change.people ?? FIVE;
  store.you = { person: me, seat: people.find((one) => one.person === me)?.seat ?? null };
  store.table = {
    table: 'abcdef',
    game: 'toy',
    status: 'finished',
    seats: 4,
    host: 'p1',
    bots: [],
    paused: 'no',
    rematch: '',
    party: true,
    screens: 1,
    pace: 'relaxed',
    evening: EVENING,
    evening_shown: false,
    evening_over: false,
    people,
    ended_by_bots: [],
    ...change,
  } as unknown as TableInfo;
  flushSync();
}

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
beforeEach(async () => {
  store = new TableStore();
  vi.restoreAllMocks();
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  catalogue.games = [
    aCard({ key: 'toy', seats: [2, 4], name: { en: 'Toy', nl: 'Speeltje' } }),
    aCard({ key: 'large', seats: [3, 8], name: { en: 'Large', nl: 'Groot' } }),
    aCard({ key: 'small', seats: [2, 3], name: { en: 'Small', nl: 'Klein' } }),
  ];
  vi.spyOn(catalogue, 'load').mockResolvedValue();
  await words.load('en');
});

describe('the score of the evening', () => {
  test('adds the games up, the best first; a watcher has no points', () => {
    table(null);
    const all = standings(store.table!);
    expect(all.map(({ name, total }) => [name, total])).toEqual([
      ['Timo', 4],
      ['Saar', 4],
      ['Noor', 3],
      ['Ida', 0],
      ['Wout', 0],
    ]);
    expect(all[3]!.points).toEqual(['watched', 0]);
    expect(leaders(all).map(({ name }) => name)).toEqual(['Timo', 'Saar']);
  });

  test('gives no zero to somebody who has only watched, and leaves newcomers out', () => {
    table(null, { evening: [EVENING[1]!], people: [...FIVE, person('p6', 'Zoë', null)] });
    const all = standings(store.table!);
    expect(all.map(({ name }) => name)).not.toContain('Zoë');
    expect(all.find(({ name }) => name === 'Wout')!.played).toBe(false);
  });
});

describe('the podium', () => {
  const places = (scores: number[], winners: number[]): unknown => {
    const { steps, rest } = podium({ scores, winners });
    return [steps.map(({ place, players }) => [place, players.map(({ seat }) => seat)]), rest.map(({ seat }) => seat)];
  };

  test.each([
    [
      [41, 38, 33, 30, 21],
      [0],
      [
        [
          [1, [0]],
          [2, [1]],
          [3, [2]],
        ],
        [3, 4],
      ],
    ],
    [
      [9, 9, 4],
      [0, 1],
      [
        [
          [1, [0, 1]],
          [3, [2]],
        ],
        [],
      ],
    ],
    [
      [9, 9, 4],
      [1],
      [
        [
          [1, [1]],
          [2, [0]],
          [3, [2]],
        ],
        [],
      ],
    ],
    [
      [5, 2, 2, 1],
      [0],
      [
        [
          [1, [0]],
          [2, [1, 2]],
        ],
        [3],
      ],
    ],
    [
      [5, 0, 0, 0, 0],
      [0],
      [
        [
          [1, [0]],
          [2, [1, 2, 3]],
        ],
        [4],
      ],
    ],
  ])('of %j won by %j', (scores, winners, expected) => expect(places(scores, winners)).toEqual(expected));
});

describe('the remote after a game', () => {
  const press = (name: string | RegExp): void => screen.getByRole('button', { name, hidden: true }).click();
  const remote = (): void => void render(Remote, { store, post, close: () => undefined });

  test('plays once more at one press if there are seats for everybody', async () => {
    const next = vi.spyOn(api, 'nextGame').mockResolvedValue({ table: 'bcdefg' });
    table('p1', { people: FIVE.slice(0, 4) });
    remote();
    press('Toy once more');
    await vi.waitFor(() => expect(next).toHaveBeenCalledWith('abcdef', 'toy', []));
  });

  test('says who fits into another game, and lets its holder choose who watches', async () => {
    const next = vi.spyOn(api, 'nextGame').mockResolvedValue({ table: 'bcdefg' });
    table('p1');
    remote();
    expect(screen.getByText('All 5 of you')).toBeTruthy();
    expect(screen.getByText('3 play, 2 watch: you choose who')).toBeTruthy();
    press('Switch to Small');
    await tick();
    expect(screen.getByText('Which 2 watch this time?')).toBeTruthy();
    press('Timo');
    await tick();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'One to choose', hidden: true }).disabled).toBe(true);
    press('Ida');
    await tick();
    press('Go');
    await vi.waitFor(() => expect(next).toHaveBeenCalledWith('abcdef', 'small', ['p2', 'p4']));
  });

  test('shows the score on the screen, and tells who is first in line', async () => {
    const show = vi.spyOn(api, 'showEvening').mockResolvedValue();
    table('p1');
    remote();
    expect(screen.getByText('Wout watched this one, and is first in line for the next.')).toBeTruthy();
    press("Tonight's score on the screen");
    await vi.waitFor(() => expect(show).toHaveBeenCalledWith('abcdef', true));
  });

  test('ends the evening only after a confirmation', async () => {
    const end = vi.spyOn(api, 'end').mockResolvedValue();
    table('p1');
    remote();
    press('End the evening');
    await tick();
    expect(end).not.toHaveBeenCalled();
    press('Really end it, for everybody?');
    await vi.waitFor(() => expect(end).toHaveBeenCalledWith('abcdef'));
  });
});

describe('who has the remote', () => {
  test('is told when its holder leaves or passes it on', async () => {
    table('p2');
    render(PartyNotice, { store });
    expect(screen.queryByRole('status')).toBeNull();
    table('p2', { host: 'p2', people: [person('p1', 'Noor', 0, { left: true }), ...FIVE.slice(1)] });
    expect(screen.getByRole('status').textContent).toContain('Noor has left. Timo has the remote now.');
    table('p2', { host: 'p3', people: FIVE });
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toContain('Saar has the remote now.'));
  });

  test('can be anybody once its phone has been away for half a minute', async () => {
    vi.useFakeTimers();
    const host = vi.spyOn(api, 'host').mockResolvedValue();
    table('p2', { people: [person('p1', 'Noor', 0, { connected: false }), ...FIVE.slice(1)] });
    render(PartyNotice, { store });
    flushSync();
    vi.advanceTimersByTime(29_000);
    flushSync();
    expect(screen.queryByRole('status')).toBeNull();
    vi.advanceTimersByTime(2_000);
    flushSync();
    expect(screen.getByRole('status').textContent).toContain('Anybody can take the remote');
    screen.getByRole('button', { name: 'Take the remote' }).click();
    expect(host).toHaveBeenCalledWith('abcdef', 'p2');
  });
});

describe('a lost phone that has the remote', () => {
  const lost = [person('p1', 'Zoë', 0, { connected: false }), ...FIVE.slice(1, 4)];
  const found = person('p9', 'Zoë 2', null, { reclaims: 'p1' });

  test('is confirmed by another player, whom the new phone and the screen name', () => {
    table('p9', { people: [...lost, found] });
    render(ReclaimSeat, { store, restart: () => undefined });
    expect(screen.getByText('Timo, Saar and Ida are asked whether you are Zoë.')).toBeTruthy();
    cleanup();
    render(PartyNotice, { store, far: true });
    expect(screen.getByRole('status').textContent).toContain('Timo, Saar and Ida: is that right?');
    cleanup();
    table('p2', { people: [...lost, found] });
    render(ReclaimSeat, { store, restart: () => undefined });
    expect(screen.getByRole('button', { name: 'Yes, that is right' })).toBeTruthy();
  });
});

test('a latecomer hears that they play in the next game', () => {
  table('p5', { status: 'playing' });
  render(ReclaimSeat, { store, restart: () => undefined });
  expect(screen.getByText('You play in the next game.')).toBeTruthy();
});
