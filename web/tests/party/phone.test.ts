import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TableStore } from '$lib/table/table_store.svelte';
import { words } from '$lib/i18n.svelte';
import Remote from '../../src/party/phone/Remote.svelte';
import ReclaimSeat from '../../src/party/phone/ReclaimSeat.svelte';
import { api } from '../../src/net/api';
import type { Transport, PersonInfo, TableInfo } from '../../src/net/wire';

const PERSON = {
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
};
const person = (id: string, name: string, seat: number | null, more: Partial<PersonInfo> = {}): PersonInfo => ({
  ...PERSON,
  person: id,
  name,
  seat,
  ...more,
});

let store: TableStore;
const ask = vi.fn(async () => ({ type: 'ack' as const, id: '', seq: 1 }));
const post = { state: 'open', restarting: false, request: ask, reconnect: () => undefined } as unknown as Transport;

function table(me: string | null, change: Partial<TableInfo> = {}): void {
  store.you = { person: me, seat: me === 'p1' ? 0 : me === 'p2' ? 1 : null };
  store.table = {
    table: 'abcdef',
    game: 'toy',
    status: 'gathering',
    seats: 4,
    host: 'p1',
    bots: [],
    paused: 'no',
    rematch: '',
    party: true,
    screens: 1,
    pace: 'relaxed',
    evening: [],
    evening_over: false,
    people: [person('p1', 'Noor', 0), person('p2', 'Timo', 1)],
    ...change,
  } as unknown as TableInfo;
}

afterEach(cleanup);

beforeEach(async () => {
  store = new TableStore();
  vi.restoreAllMocks();
  HTMLDialogElement.prototype.showModal ??= () => undefined;
  await words.load('en');
});

const press = (name: string | RegExp): void => screen.getByRole('button', { name, hidden: true }).click();
const remote = (): void => void render(Remote, { store, post, close: () => undefined });

describe('the remote control', () => {
  test('starts with the people who have joined, and removes the other seats', async () => {
    const calls: unknown[] = [];
    vi.spyOn(api, 'setUp').mockImplementation(async (...all) => void calls.push(all));
    vi.spyOn(api, 'start').mockImplementation(async (...all) => void calls.push(all));
    table('p1');
    remote();
    press('Start with 2 players');
    await vi.waitFor(() => expect(calls).toEqual([['abcdef', { seats: 2 }], ['abcdef']]));
  });

  test('pauses at once, and ends the party only after a confirmation', async () => {
    const end = vi.spyOn(api, 'end').mockResolvedValue();
    table('p1', { status: 'playing' });
    remote();
    press('Pause');
    expect(ask).toHaveBeenCalledWith({ type: 'pause', paused: true });
    press('End the party');
    expect(end).not.toHaveBeenCalled();
    await vi.waitFor(() => press('Really end it, for everybody?'));
    await vi.waitFor(() => expect(end).toHaveBeenCalledWith('abcdef'));
  });

  test('is on one phone; others see whose, and can take it over if that phone is disconnected', async () => {
    table('p2');
    remote();
    expect(screen.getByText('Noor has the remote.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Start/, hidden: true })).toBe(null);
    expect(screen.queryByRole('button', { name: 'Take the remote', hidden: true })).toBe(null);
    table('p2', { people: [person('p1', 'Noor', 0, { connected: false }), person('p2', 'Timo', 1)] });
    await vi.waitFor(() => screen.getByRole('button', { name: 'Take the remote', hidden: true }));
  });
});

describe('seat reclaim', () => {
  const shown = (): void => void render(ReclaimSeat, { store, restart: () => undefined });

  test('is offered to a person without a seat, for players whose phone is disconnected', () => {
    table(null, { people: [person('p1', 'Noor', 0), person('p2', 'Timo', 1, { connected: false })] });
    shown();
    expect(screen.getAllByRole('button').map((one) => one.textContent?.trim())).toEqual(['I am Timo']);
  });

  test('is not offered to a person who has a seat', () => {
    table('p1', { people: [person('p1', 'Noor', 0), person('p2', 'Timo', 1, { connected: false })] });
    shown();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  test('is granted by the remote control', async () => {
    const answer = vi.spyOn(api, 'answerReclaim').mockResolvedValue();
    const found = person('p3', 'Timo 2', null, { reclaims: 'p2' });
    table('p1', { people: [person('p1', 'Noor', 0), person('p2', 'Timo', 1, { connected: false }), found] });
    shown();
    expect(screen.getByRole('alertdialog').textContent).toContain('they are Timo, on another phone');
    press('Yes, that is right');
    await vi.waitFor(() => expect(answer).toHaveBeenCalledWith('abcdef', 'p3', 'p2', true));
  });

  test('is not requested by the remote control itself', () => {
    const found = person('p3', 'Timo 2', null, { reclaims: 'p2' });
    table('p3', {
      host: 'p3',
      people: [person('p1', 'Noor', 0), person('p2', 'Timo', 1, { connected: false }), found],
    });
    shown();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.queryByText('I am Timo')).toBeNull();
  });
});
