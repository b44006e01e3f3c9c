import { render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { offlineReplays } from '../../src/app/offline_replays.svelte';
import LearnPage from '../../src/learn/LearnPage.svelte';
import { places } from '../../src/learn/lesson_tables';

const asked = vi.fn(async (_: string): Promise<Response> => Promise.reject(new TypeError('Failed to fetch')));
let held: string[];

beforeEach(async () => {
  await words.load('en');
  localStorage.clear();
  held = [];
  vi.stubGlobal('fetch', asked);
  vi.stubGlobal('caches', {
    open: async () => ({
      addAll: async (all: string[]) => void held.push(...all),
      keys: async () => held.map((path) => ({ url: `https://jam.example${path}` })),
      delete: async ({ url }: { url: string }) => void (held = held.filter((one) => !url.endsWith(one))),
    }),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  asked.mockClear();
});

test('a lesson without a server explains why, and links to the rules', async () => {
  places.remember('bebop', 'abcdef');
  render(LearnPage, { game: 'bebop' });
  await expect.poll(() => screen.queryByText(/^Lessons are played by the real rules/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('#/rules/bebop');
  expect(asked.mock.calls.map(([path]) => path.replace(/.*v1/, ''))).toEqual(['/tables/abcdef']); // and no new one
});

test('a replay is stored with everything revealed, and as each seat saw it', async () => {
  await offlineReplays.keep({ code: 'abcdef', game: 'bpm', names: ['Ada', 'Bob'] }, false);
  const replays = held.filter((path) => path.includes('/replay')).map((path) => path.replace(/.*replay/, ''));
  expect(replays).toEqual(['?changes=true', '?changes=true&seat=0', '?changes=true&seat=1']);
  expect(held.filter((path) => path.includes('/log'))).toHaveLength(6); // in two languages
  held.push('/api/v1/tables/abcdefg/log');
  await offlineReplays.drop('abcdef');
  expect(held).toEqual(['/api/v1/tables/abcdefg/log']);
});
