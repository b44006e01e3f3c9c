/** Quicker bots are offered to a person who has waited long for them. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableUi } from '$lib/contract';
import { settings } from '$lib/settings.svelte';
import { words } from '$lib/i18n.svelte';
import bebop from '../../../src/jamboree/games/bebop/web';
import { api } from '../../src/net/api';
import Prompt from '../../src/table/Prompt.svelte';
import { Bench, settle, updates } from '../test_table';

type AnyTableUi = TableUi<never, never, never, unknown>;
let bench: Bench<never, never, never, unknown>;
let now = 0;

beforeEach(async () => {
  await words.load('en');
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  settings.change({ paceAsked: false, pace: 'relaxed' });
  bench = new Bench(bebop as unknown as AnyTableUi, 'bebop-4', updates<never, never>('bebop-4')[0]!.position);
  const [me] = bench.store.table!.people;
  bench.store.you = { person: me!.person, seat: 0 };
  const bots = [1, 2, 3].map((seat) => ({ seat, level: 'rookie' as const, name: `Bot ${seat}` }));
  bench.store.table = { ...bench.store.table!, people: [me!], host: me!.person, bots, pace: 'relaxed', lesson: null };
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function actor(seat: number, seconds: number): Promise<void> {
  now += seconds * 1000;
  bench.change((view) => view, undefined, [seat]);
  await settle();
}

async function waited(seconds: number): Promise<void> {
  await actor(0, 1);
  render(Prompt, { table: bench.shell });
  await actor(1, 1);
  expect(screen.queryByText('Quicker')).toBeNull();
  await actor(2, seconds / 3); // each bot takes its part
  await actor(3, seconds / 3);
  await actor(0, seconds / 3);
  expect(screen.queryByText('Quicker'), 'not while I decide').toBeNull();
  await actor(1, 3);
}

test('says how long they took and sets the pace, once', async () => {
  const pace = vi.spyOn(api, 'pace').mockResolvedValue(undefined as never);
  await waited(15);
  expect(screen.getByText('The bots took 15 s.')).toBeTruthy();
  await fireEvent.click(screen.getByText('Quicker'));
  expect(pace).toHaveBeenCalledWith(bench.store.table!.table, 'quick');
  expect(settings.pace).toBe('quick');
  await settle();
  expect(screen.queryByText('Quicker')).toBeNull();
});

test('can be declined', async () => {
  const pace = vi.spyOn(api, 'pace');
  await waited(8);
  await fireEvent.click(screen.getByRole('button', { name: 'Leave it' }));
  await settle();
  expect(screen.queryByText('Quicker')).toBeNull();
  expect(pace).not.toHaveBeenCalled();
});

test('is not made after a short wait', async () => {
  await waited(4);
  expect(screen.queryByText('Quicker')).toBeNull();
});

test('is not made while other people play', async () => {
  const other = { ...bench.store.table!.people[0]!, person: 'p9', seat: 1 };
  bench.store.table = { ...bench.store.table!, people: [...bench.store.table!.people, other] };
  await waited(15);
  expect(screen.queryByText('Quicker')).toBeNull();
});
