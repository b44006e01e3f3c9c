import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import AdminPage from '../src/admin/AdminPage.svelte';

const LOAD = {
  version: '9.9',
  up: 7200,
  tables: 1,
  watched: 1,
  sockets: 2,
  connections: 3,
  waiting: 0,
  cpu: 12.3,
  memory: 104857600,
  trouble: '',
  seen: {},
};
const TABLE = {
  table: 'abcdef',
  game: 'toy',
  status: 'playing',
  seats: 2,
  people: 2,
  connected: 1,
  guests: 0,
  idle: 3,
  listed: true,
};
const BAN = { address: '192.0.2.7/32', until: 1900000000, note: 'floods' };
let asked: { url: string; body: unknown; token: string | null }[] = [];
let refusal: { code: string; sentence: string } | null = null;

function answer(url: string): unknown {
  if (url.endsWith('/admin/load')) return LOAD;
  if (url.endsWith('/admin/tables')) return [TABLE];
  return url.endsWith('/admin/bans') ? [BAN] : [];
}

beforeEach(async () => {
  await words.load('en');
  asked = [];
  refusal = null;
  vi.stubGlobal('fetch', async (url: string, how: RequestInit = {}) => {
    const token = new Headers(how.headers).get('authorization');
    asked.push({ url, body: how.body ? JSON.parse(how.body as string) : null, token });
    if (refusal && url.includes('/admin/')) return new Response(JSON.stringify(refusal), { status: 404 });
    return how.method === 'POST' ? new Response(null, { status: 204 }) : new Response(JSON.stringify(answer(url)));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function enter(): Promise<void> {
  render(AdminPage);
  await fireEvent.input(screen.getByLabelText('Admin token'), { target: { value: ' the-token-of-ours ' } });
  await fireEvent.submit(screen.getByLabelText('Admin token').closest('form')!);
}

const changes = (): unknown[] => asked.filter((each) => each.body).map((each) => [each.url, each.body]);

test('the admin token shows the load, the tables and the bans', async () => {
  await enter();
  expect(await screen.findByText('9.9')).toBeTruthy();
  expect(screen.getByText('100 MiB')).toBeTruthy();
  expect(screen.getByText('abcdef')).toBeTruthy();
  expect(screen.getByText('192.0.2.7/32')).toBeTruthy();
  const tokens = asked.filter((each) => each.url.includes('/admin/')).map((each) => each.token);
  expect(new Set(tokens)).toEqual(new Set(['Bearer the-token-of-ours']));
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('the-token-of-ours');
});

test('a wrong token shows an error and nothing else', async () => {
  refusal = { code: 'not-found', sentence: 'There is nothing here.' };
  await enter();
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('not the admin token'));
  expect(screen.queryByText('9.9')).toBeNull();
});

test('a table is closed only after a confirmation', async () => {
  await enter();
  await fireEvent.click(await screen.findByText('Close table'));
  expect(changes()).toEqual([]);
  await fireEvent.input(screen.getByLabelText('A sentence for the people there'), { target: { value: 'Bedtime.' } });
  await fireEvent.submit(screen.getByText('Close abcdef for everybody').closest('form')!);
  await vi.waitFor(() => expect(changes()).toEqual([['/api/v1/admin/tables/abcdef/close', { reason: 'Bedtime.' }]]));
});

test('an address is banned and unbanned', async () => {
  await enter();
  await fireEvent.input(await screen.findByLabelText('Address or network'), { target: { value: ' 10.0.0.0/8 ' } });
  await fireEvent.submit(screen.getByText('Keep out').closest('form')!);
  await vi.waitFor(() =>
    expect(changes()).toEqual([['/api/v1/admin/bans', { address: '10.0.0.0/8', days: 7, note: '' }]]),
  );
  await vi.waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Address or network').value).toBe(''));
  await fireEvent.click(screen.getByText('Let in again'));
  await vi.waitFor(() => expect(changes()).toHaveLength(2));
  expect(changes()[1]).toEqual(['/api/v1/admin/bans/lift', { address: '192.0.2.7/32' }]);
});
