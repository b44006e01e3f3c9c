import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import type { Transport, TableInfo } from '../../src/net/wire';
import { plainTableUi } from '../../src/plain';
import Announcer from '../../src/table/feed/Announcer.svelte';

const post = { state: 'open', restarting: false, restart: () => undefined } as unknown as Transport;
const bots = [
  { seat: 1, level: 'star', name: 'Vesper' },
  { seat: 2, level: 'sharp', name: 'Otto' },
];

/** A table where I am not asked, and some bots wait for their turn to think. */
function table(queue: TableInfo['queue'], actors = [1]): Table {
  const store = new TableStore();
  const seen = {
    table: 'abc',
    game: 'toy',
    status: 'playing',
    seats: 3,
    people: [],
    host: 'p1',
    paused: 'no',
    bots,
    queue,
    avatars: [],
  } as unknown as TableInfo;
  const position = { view: {}, actors, legal: [], outcome: null, question: '', decided: '' };
  const still = { missed: null, chat: [], clock: null, undo: null, actions: null };
  store.receive({ type: 'welcome', seq: 1, you: { person: 'p1', seat: 0 }, table: seen, position, ...still } as never);
  return new Table(store, post, plainTableUi('toy'));
}

afterEach(cleanup);
beforeEach(() => words.load('en'));

test('a bot queued for computing time is shown with its queue position', async () => {
  expect(table([]).prompt).toBe('Waiting for Vesper');
  const waits = table([{ seat: 1, before: 3 }]);
  expect(waits.prompt).toBe('3 bots go before Vesper.');
  expect(table([{ seat: 1, before: 1 }]).prompt).toBe('One bot goes before Vesper.');
  await words.load('nl');
  expect(waits.prompt).toBe('3 bots gaan voor Vesper.');
});

test('a bot that nobody waits for is not mentioned', () => {
  expect(table([{ seat: 2, before: 3 }]).prompt).toBe('Waiting for Vesper');
});

test('the live region announces it once, not every change of position', () => {
  const waits = table([{ seat: 1, before: 3 }]);
  render(Announcer, { table: waits });
  const said = 'Vesper is waiting until other bots have thought.';
  const region = screen.getByText(said);
  waits.store.receive({ type: 'table', seq: 2, table: { ...waits.store.table!, queue: [{ seat: 1, before: 2 }] } });
  expect(region.textContent.trim()).toBe(said);
});
