import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { t, words } from '$lib/i18n.svelte';
import Home from '../../src/home/Home.svelte';
import { api } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import { places } from '../../src/learn/lesson_tables';
import { joinedTables } from '../../src/net/joined_tables';
import type { TableResponse } from '../../src/net/wire';
import { aCard } from '../game_cards';
import { settle } from '../test_table';

const table = (code: string, status: string): TableResponse =>
  ({ table: code, game: 'kite', status, people: [], bots: [], actors: [], you: { person: 'p1', seat: 0 } }) as never;
const rows = (list: string): string[] => [...document.querySelectorAll(`${list} li b`)].map((one) => one.textContent);
const OPEN = 'section[aria-labelledby=open-tables]';
const MINE = '.mine';
const headline = (): string => document.querySelector('h1')!.textContent.trim();

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
  expect(rows(OPEN)).toEqual(['Loading…']);
  vi.mocked(api.tables).mockResolvedValue([]);
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(rows(OPEN)).toEqual([]);
  expect(document.querySelector(`${OPEN} li`)!.textContent).toBe(t('lists.none'));
});

test('my games reserve a row for each unfinished game while loading', async () => {
  for (const code of ['done', 'one', 'two']) joinedTables.remember(code, 'kite');
  joinedTables.note('done', true);
  render(Home);
  await settle();
  expect(rows(MINE)).toEqual(['Loading…', 'Loading…']);
  vi.mocked(api.tables).mockResolvedValue([]);
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(rows(MINE)).toHaveLength(2);
  expect(rows(MINE)).not.toContain('Loading…');
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

test('somebody who comes back finds their own games first, under a headline that says what waits', async () => {
  for (const code of ['mine', 'theirs', 'also']) joinedTables.remember(code, 'kite');
  vi.mocked(api.tables).mockResolvedValue([]);
  vi.mocked(api.table).mockImplementation((code) =>
    Promise.resolve({ ...table(code, 'playing'), actors: code === 'theirs' ? [1] : [0] }),
  );
  render(Home);
  await settle();
  expect(headline()).toBe('Two tables wait for you');
  expect(rows(MINE)).toEqual([t('lists.turn'), t('lists.turn'), t('lists.going')]);
  expect(document.querySelector('.posters .brief')).not.toBeNull();
});

test('the question comes back where nothing waits, with a sentence for newcomers', async () => {
  joinedTables.remember('done', 'kite');
  joinedTables.note('done', true);
  vi.mocked(api.tables).mockResolvedValue([]);
  render(Home);
  await settle();
  expect(headline()).toBe(t('home.question'));
  expect(document.querySelector('.sub')!.textContent).toContain(t('home.learn'));
  expect(document.querySelector('.mine')).toBeNull();
});

test('Learn names the next lesson of a course under way', async () => {
  catalogue.games = [aCard({ key: 'kite', lessons: 9 })];
  vi.mocked(api.games).mockResolvedValue(catalogue.games);
  vi.mocked(api.tables).mockResolvedValue([]);
  const lesson = { lesson: 3, step: 0, stage: 'asking', say: '', done: [0, 1, 2], course: 'basics' };
  vi.mocked(api.table).mockResolvedValue({ ...table('course', 'playing'), lesson } as never);
  places.remember('kite', 'course');
  render(Home);
  await settle();
  expect(document.querySelector('.learn .long')!.textContent).toBe('Go on learningLesson 4 of 9');
  places.finish('kite');
  cleanup();
  render(Home);
  await settle();
  expect(document.querySelector('.learn .long')!.textContent).toContain('All 9 lessons done');
});

test('after the first course, Learn leads to the positions on strategy', async () => {
  catalogue.games = [aCard({ key: 'kite', lessons: 9, strategy: 6 })];
  vi.mocked(api.games).mockResolvedValue(catalogue.games);
  vi.mocked(api.tables).mockResolvedValue([]);
  places.finish('kite');
  const learn = async (): Promise<HTMLAnchorElement> => {
    cleanup();
    render(Home);
    await settle();
    return document.querySelector<HTMLAnchorElement>('a.learn')!;
  };
  let link = await learn();
  expect([link.querySelector('.long')!.textContent, link.hash]).toEqual([
    'Strategy6 positions from real games',
    '#/learn/kite/strategy',
  ]);
  const lesson = { lesson: 1, step: 0, stage: 'asking', say: '', done: [0], course: 'strategy' };
  vi.mocked(api.table).mockResolvedValue({ ...table('second', 'playing'), lesson } as never);
  places.remember('kite', 'second', 'strategy');
  link = await learn();
  expect(link.querySelector('.long')!.textContent).toBe('Go on learningStrategy: 2 of 6');
  places.finish('kite', 'strategy');
  link = await learn();
  expect([link.querySelector('.long')!.textContent, link.hash]).toEqual([
    'The lessons againAll 15 lessons done',
    '#/learn/kite',
  ]);
});
