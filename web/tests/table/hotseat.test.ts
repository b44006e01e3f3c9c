import { expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { plainTableUi } from '../../src/plain';
import type { Transport, TableInfo } from '../../src/net/wire';

const post = { state: 'open', restarting: false, restart: () => undefined } as unknown as Transport;

/** A table at which Ada looks, on a device of her own or of several people. */
async function ada(around: boolean, over: boolean): Promise<Table> {
  await words.load('en');
  const store = new TableStore();
  store.sharedDevice = around;
  const people = ['Ada', 'Bob'].map((name, seat) => ({ person: `p${seat}`, name, seat }));
  const seen = { table: 'abc', game: 'toy', status: over ? 'finished' : 'playing', seats: 2, people, bots: [] };
  const outcome = over ? { winners: [0], scores: [2, 1] } : null;
  const position = { view: {}, actors: [], legal: [], outcome, question: '', decided: over ? 'Ada was ahead.' : '' };
  const still = { missed: null, chat: [], clock: null, undo: null, actions: null };
  const welcome = { type: 'welcome', seq: 1, you: { person: 'p0', seat: 0 }, table: seen as unknown as TableInfo };
  store.receive({ ...welcome, position, ...still } as never);
  return new Table(store, post, plainTableUi('toy'));
}

test('at the end of a game on a shared device nobody is called “you”', async () => {
  const table = await ada(true, true);
  expect([table.name(0), table.name(1)]).toEqual(['Ada', 'Bob']);
  expect(table.decidedBy).toBe('Ada was ahead.');
});

test('during the game, and on a personal device, the reader is called “you”', async () => {
  expect((await ada(true, false)).name(0)).toBe('You');
  expect((await ada(false, true)).name(0)).toBe('You');
});

test('nothing is animated behind a curtain', async () => {
  const table = await ada(true, false);
  const shown: string[] = [];
  Object.assign(table.ui, { animate: ({ type }: { type: string }) => Promise.resolve(void shown.push(type)) });
  await table.store.animations.animator!.animate({ type: 'behind' }, null as never);
  table.model = {};
  await table.store.animations.animator!.animate({ type: 'before' }, null as never);
  expect(shown).toEqual(['before']);
});
