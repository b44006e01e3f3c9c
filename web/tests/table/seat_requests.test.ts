import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { settings } from '$lib/settings.svelte';
import { Table } from '$lib/table/table.svelte';
import { api } from '../../src/net/api';
import type { Credentials } from '$types/wire';
import type { Transport, TableInfo } from '../../src/net/wire';
import People from '../../src/people/People.svelte';
import { plainTableUi } from '../../src/plain';
import SeatRequests from '../../src/table/SeatRequests.svelte';
import TopBar from '../../src/table/bar/TopBar.svelte';
import { settle } from '../test_table';

const POST: Transport = {
  state: 'open',
  restarting: false,
  reconnect: () => undefined,
  request: () => Promise.resolve({ type: 'ack', id: 'x', seq: 2 }),
};
const PERSON = {
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
};

let table: Table;

/** Ada plays with Mabel, a bot; Cleo watches, with a name or without. */
function seen(asks: number | null, change: Partial<TableInfo> = {}): TableInfo {
  const ada = { ...PERSON, person: 'p1', name: 'Ada', seat: 0 };
  const cleo = { ...PERSON, person: 'p2', name: 'Cleo', seat: null, wants_seat: asks };
  return {
    table: 'abc',
    game: 'toy',
    status: 'playing',
    seats: 2,
    people: [ada, cleo],
    host: 'p1',
    paused: 'no',
    bots: [{ seat: 1, level: 'regular', name: 'Mabel' }],
    latecomers: false,
    locked: false,
    spectators: 'everybody',
    undo_asked: null,
    guests: 0,
    house_rules: { wait: 120, idle: 'wait' },
    ...change,
  } as unknown as TableInfo;
}

function come(person: string | null, asks: number | null, change: Partial<TableInfo> = {}): void {
  const position = { view: {}, actors: [0], legal: [], outcome: null, question: '', decided: '' };
  const you = { person, seat: person === 'p1' ? 0 : null };
  const more = { missed: null, chat: [], clock: null, undo: null, bot_moves: 0 };
  table.store.receive({ type: 'welcome', seq: 1, you, table: seen(asks, change), position, ...more });
}

beforeEach(async () => {
  await words.load('en');
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  vi.spyOn(api, 'bans').mockResolvedValue([]);
  table = new Table(new TableStore(), POST, plainTableUi('toy'));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  settings.change({ name: '' });
});

const people = (): { close: () => void; restart: () => void } => {
  const props = { close: vi.fn(), restart: vi.fn() };
  render(People, { store: table.store, code: 'abc', ...props });
  return props;
};

test('the host sees a request for a bot’s seat, and answers it', async () => {
  const answer = vi.spyOn(api, 'answerSeatRequest').mockResolvedValue();
  come('p1', 1);
  render(SeatRequests, { table });
  expect(screen.getByRole('status').textContent).toContain("Cleo would like to take Mabel's seat.");
  await fireEvent.click(screen.getByRole('button', { name: 'Let them play' }));
  await settle();
  await fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(answer.mock.calls).toEqual([
    ['abc', 'p2', true],
    ['abc', 'p2', false],
  ]);
});

test('only the host sees the request', () => {
  come('p1', 1, { host: 'p3' });
  render(SeatRequests, { table });
  expect(screen.queryByRole('status')).toBeNull();
});

test.each([
  ['ask for a seat', {}, 'Ask for a seat'],
  ['take one where the host lets everybody', { latecomers: true }, 'Take a seat'],
])('a spectator is told that they can %s', async (_, change, label) => {
  come(null, null, change);
  const open = vi.fn();
  render(TopBar, { table, open });
  await fireEvent.click(screen.getByRole('button', { name: label }));
  expect(open).toHaveBeenCalledWith('people');
});

test.each([
  ['no bot plays', { bots: [] }],
  ['the table is locked', { locked: true }],
])('a spectator is not invited if %s', (_, change) => {
  come(null, null, change);
  expect(table.seatOffer).toBeNull();
});

test('a spectator enters a name, and requests a seat', async () => {
  const join = vi.spyOn(api, 'join').mockResolvedValue({} as Credentials);
  const ask = vi.spyOn(api, 'requestSeat').mockResolvedValue();
  come(null, null);
  const { close, restart } = people();
  const button = screen.getByRole('button', { name: 'Ask for this seat' });
  expect(button.hasAttribute('disabled')).toBe(true);
  await fireEvent.input(screen.getByLabelText('What shall we call you?'), { target: { value: 'Cleo' } });
  await fireEvent.click(button);
  await settle();
  expect(join.mock.lastCall).toEqual(['abc', { name: 'Cleo', watch: true }]);
  expect(ask.mock.lastCall).toEqual(['abc', 1]);
  expect([close, restart].map((done) => vi.mocked(done).mock.calls.length)).toEqual([1, 1]);
  expect(settings.name).toBe('Cleo');
});

test('a spectator waits for the answer, and sees it', async () => {
  const ask = vi.spyOn(api, 'requestSeat').mockResolvedValue();
  come('p2', 1);
  render(SeatRequests, { table });
  expect(screen.getByText("You have asked the host for Mabel's seat.")).toBeTruthy();
  table.store.receive({ type: 'table', seq: 2, table: seen(null) });
  await settle();
  expect(screen.getByText('The host would like Mabel to play on.')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'All right' }));
  expect(screen.queryByRole('status')).toBeNull();
  table.store.receive({ type: 'table', seq: 3, table: seen(1) });
  await settle();
  await fireEvent.click(screen.getByRole('button', { name: 'Never mind' }));
  table.store.receive({ type: 'table', seq: 4, table: seen(null) });
  await settle();
  expect(ask.mock.lastCall).toEqual(['abc', null]);
  expect(screen.queryByRole('status')).toBeNull();
});

test('I am called “you” among the people', () => {
  come('p1', 1);
  people();
  const [me, other] = screen.getAllByRole('listitem');
  expect(me!.querySelector('b')!.textContent).toBe('You');
  expect(me!.querySelector('small')!.textContent).toBe('Ada, plays, host');
  expect(other!.querySelector('small')!.textContent).toBe("watches, would like Mabel's seat");
});
