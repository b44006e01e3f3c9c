import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import LookUp from '../../src/party/phone/LookUp.svelte';
import { plainTableUi } from '../../src/plain';
import type { Transport, TableInfo } from '../../src/net/wire';

const post = { state: 'open', restarting: false, reconnect: () => undefined } as unknown as Transport;
let store: TableStore;

/** A phone at a party of two, with so many screens; the others choose, or I do. */
function phone(screens: number, actors: number[], open = false): void {
  const seen = {
    table: 'abc',
    game: 'toy',
    status: 'playing',
    seats: 2,
    people: [],
    host: 'p1',
    bots: [],
    paused: 'no',
    party: true,
    screens,
  } as unknown as TableInfo;
  const position = { view: {}, actors, legal: [], outcome: null, question: 'Where to?', decided: '' };
  const still = { missed: null, chat: [], clock: null, undo: null, actions: null };
  store.receive({ type: 'welcome', seq: 1, you: { person: 'p1', seat: 0 }, table: seen, position, ...still } as never);
  const ui = { ...plainTableUi('toy'), isOpenInformation: () => open };
  render(LookUp, { table: new Table(store, post, ui) });
}

afterEach(cleanup);
beforeEach(async () => {
  store = new TableStore();
  await words.load('en');
});

test('the board is covered while others choose, until it is uncovered', () => {
  phone(1, [1]);
  expect(screen.getByText('The table is on the big screen.')).toBeTruthy();
  expect(screen.getByText('Your hand is only on this phone')).toBeTruthy();
  flushSync(() => screen.getByRole('button', { name: 'Show it here' }).click());
  expect(screen.queryByText('The table is on the big screen.')).toBeNull();
});

test('the board is not covered on my turn, or without a screen', () => {
  phone(1, [0]);
  expect(screen.queryByText('The table is on the big screen.')).toBeNull();
  cleanup();
  store = new TableStore();
  phone(0, [1]);
  expect(screen.queryByText('The table is on the big screen.')).toBeNull();
});

test('open hands are left to the big screen, too', () => {
  phone(1, [1], true);
  expect(screen.queryByText('Your hand is only on this phone')).toBeNull();
});
