import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { t, words } from '$lib/i18n.svelte';
import Home from '../../src/home/Home.svelte';
import { api } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import { joinedTables } from '../../src/net/joined_tables';
import type { TableResponse } from '../../src/net/wire';
import { aCard } from '../game_cards';
import { settle } from '../test_table';

const table = (code: string, status: string): TableResponse =>
  ({ table: code, game: 'kite', status, people: [], bots: [], actors: [], you: { person: 'p1', seat: 0 } }) as never;
const rows = (list: string): string[] =>
  [...document.querySelectorAll(`section[aria-labelledby=${list}] li b`)].map((one) => one.textContent);

beforeEach(async () => {
  await words.load('en');
  catalogue.games = [aCard({ key: 'kite' })];
  vi.spyOn(api, 'games').mockResolvedValue(catalogue.games);
  vi.spyOn(api, 'tables').mockReturnValue(new Promise(() => undefined));
  vi.spyOn(api, 'table').mockImplementation((code) =>
    Promise.resolve(table(code, code === 'done' ? 'finished' : 'playing')),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
  catalogue.games = [];
});

test('a list shows that it is loading, and that it is empty only once that is known', async () => {
  render(Home);
  await settle();
  expect(rows('open-tables')).toEqual(['Loading…']);
  vi.mocked(api.tables).mockResolvedValue([]);
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(rows('open-tables')).toEqual([]);
  expect(document.querySelector('section[aria-labelledby=open-tables] li')!.textContent).toBe(t('lists.none'));
});

test('my games reserve a row for each unfinished game while loading', async () => {
  for (const code of ['done', 'one', 'two']) joinedTables.remember(code, 'kite');
  joinedTables.note('done', true);
  render(Home);
  await settle();
  expect(rows('carry-on')).toEqual(['Loading…', 'Loading…']);
  vi.mocked(api.tables).mockResolvedValue([]);
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(rows('carry-on')).toHaveLength(2);
  expect(rows('carry-on')).not.toContain('Loading…');
});

test('a finished game is remembered as finished', async () => {
  for (const code of ['done', 'one']) joinedTables.remember(code, 'kite');
  vi.mocked(api.tables).mockResolvedValue([]);
  render(Home);
  await settle();
  expect(joinedTables.all()).toEqual([
    { code: 'one', game: 'kite', over: false },
    { code: 'done', game: 'kite', over: true },
  ]);
});
