import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { api, RequestFailed } from '../../src/net/api';
import TvStart from '../../src/party/TvStart.svelte';

beforeEach(async () => {
  await words.load('en');
  vi.spyOn(api, 'games').mockResolvedValue([]);
  location.hash = '#/tv';
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function show(code: string): Promise<void> {
  vi.spyOn(api, 'table').mockRejectedValue(new RequestFailed({ code, sentence: 'From the server.' }));
  render(TvStart);
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'ABC-def' } });
  await fireEvent.submit(screen.getByRole('textbox').closest('form')!);
}

test('a new screen can join a locked party', { timeout: 30_000 }, async () => {
  await show('locked');
  await vi.waitFor(() => expect(location.hash).toBe('#/tv/abcdef'), 10_000);
});

test('an unknown code shows an error at once', async () => {
  await show('unknown-table');
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('no table'));
  expect(location.hash).toBe('#/tv');
});
