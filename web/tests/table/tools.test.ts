import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { plainTableUi } from '../../src/plain';
import type { Transport, TableInfo } from '../../src/net/wire';
import DeviceLink from '../../src/people/DeviceLink.svelte';
import People from '../../src/people/People.svelte';
import Clock from '../../src/table/bar/Clock.svelte';
import { tools } from '../../src/table/bar/tools';

const PEOPLE = [
  { person: 'p1', name: 'Ada', seat: 0, connected: true },
  { person: 'p2', name: 'Bob', seat: 1, connected: true },
];
let store: TableStore;

/** A game that Ada plays and Bob hosts, unless it is said otherwise. */
function sit(change: object = {}): Table {
  const house = { hints: false };
  const seen = {
    status: 'playing',
    people: PEOPLE,
    host: 'p2',
    bots: [],
    paused: 'no',
    undo_asked: null,
    house_rules: house,
    ...change,
  };
  store.table = seen as unknown as TableInfo;
  store.you = { person: 'p1', seat: 0 };
  return new Table(store, { state: 'open' } as Transport, plainTableUi('toy'));
}

beforeEach(async () => {
  await words.load('en');
  store = new TableStore();
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the pause button', () => {
  test.each([
    ['no', 'Pause'],
    ['coming', "Don't pause"],
    ['yes', 'Go on'],
  ])('while a pause is %s', (paused, label) => {
    const tool = tools(sit({ host: 'p1', paused })).find(({ key }) => key === 'pause');
    expect(tool?.label).toBe(label);
  });
});

test('the clock of a pause is labelled', () => {
  const table = sit({ paused: 'yes' });
  store.clock = {
    kind: 'pause',
    left: 1799,
    running: false,
    received: performance.now(),
  } as unknown as TableStore['clock'];
  render(Clock, { table });
  expect(screen.getByTitle('Pause time left in this game: 29:59')).toBeTruthy();
});

test('the list of people marks me', () => {
  sit();
  render(People, { store, code: 'abc', close: () => undefined, restart: () => undefined });
  expect(screen.getByText('You')).toBeTruthy();
  expect(screen.getByText('Bob')).toBeTruthy();
});

test('a link for another device is described once it exists', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response(JSON.stringify({ link: 's', address: 'http://here/#/t/abc/link/s', picture: '<svg />' })),
    ),
  );
  render(DeviceLink, { code: 'abc', close: () => undefined });
  expect(screen.queryByText(/^Open this link/)).toBeNull();
  screen.getByText('Make a link').click();
  expect(await screen.findByText(/^Open this link/)).toBeTruthy();
  expect(screen.getByText('http://here/#/t/abc/link/s')).toBeTruthy();
  expect(screen.getByRole('img').getAttribute('src')).toBe('data:image/svg+xml,%3Csvg%20%2F%3E');
});
