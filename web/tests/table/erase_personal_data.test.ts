import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import ErasePersonalData from '../../src/people/ErasePersonalData.svelte';

let asked: string[] = [];
let status = 204;

beforeEach(async () => {
  [asked, status] = [[], 204];
  await words.load('en');
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${new URL(url, 'http://here').pathname}`);
    const body = status === 204 ? null : JSON.stringify({ code: 'not-saved', sentence: 'Not now.' });
    return Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/json' } }));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function shown(): void {
  render(ErasePersonalData, { code: 'abcdef' });
}

test('personal data are erased by a second press, with a message', async () => {
  shown();
  await fireEvent.click(screen.getByRole('button', { name: 'Forget me' }));
  expect(asked).toEqual([]);
  await fireEvent.click(await screen.findByRole('button', { name: 'Yes, delete it for good' }));
  await screen.findByText(/You are a guest here now/);
  expect(asked).toEqual(['POST /api/v1/tables/abcdef/forget-me']);
  expect(screen.queryByRole('button', { name: /delete/ })).toBeNull();
});

test('a failed request can be retried', async () => {
  status = 503;
  shown();
  await fireEvent.click(screen.getByRole('button', { name: 'Forget me' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Yes, delete it for good' }));
  await screen.findByText(/at the moment|Not now/);
  expect(screen.getByRole('button', { name: 'Yes, delete it for good' })).toBeTruthy();
});
