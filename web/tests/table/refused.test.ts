import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import TablePage from '../../src/table/TablePage.svelte';

class Line {
  static all: Line[] = [];
  onopen = null;
  onclose = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  send = (): void => undefined;
  close = (): void => undefined;
  constructor() {
    Line.all.push(this);
  }
  refuses(code: string): void {
    this.onmessage?.({ data: JSON.stringify({ type: 'error', id: null, code, sentence: '', detail: null }) });
  }
}

/** What the server answers: a link is refused, and the device has a seat or none. */
function serve(code: string, person: string | null): void {
  vi.stubGlobal('fetch', (path: string) => {
    if (path.endsWith('redeem'))
      return Promise.resolve(new Response(JSON.stringify({ code, sentence: '' }), { status: 403 }));
    return Promise.resolve(new Response(JSON.stringify({ you: { person, seat: null } })));
  });
}

beforeEach(async () => {
  await words.load('en');
  Line.all = [];
  vi.stubGlobal('WebSocket', Line);
  location.hash = '';
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a link for another device', () => {
  test('that was used before says so, and leads to the table all the same', async () => {
    serve('wrong-token', null);
    render(TablePage, { code: 'abc', secret: 'used' });
    expect(await screen.findByText('This link has been used already, or your seat was given away.')).toBeTruthy();
    expect(location.hash).toBe('');
    screen.getByRole('button', { name: 'Go to the table' }).click();
    expect(location.hash).toBe('#/t/abc');
  });

  test('that this device has used leads to its seat without a word', async () => {
    serve('wrong-token', 'p1');
    render(TablePage, { code: 'abc', secret: 'used' });
    await vi.waitFor(() => expect(location.hash).toBe('#/t/abc'));
  });

  test('that could not be used yet can be tried again', async () => {
    serve('devices', null);
    render(TablePage, { code: 'abc', secret: 'good' });
    const again = await screen.findByRole('button', { name: 'Try again' });
    const fetched = vi.spyOn(globalThis, 'fetch');
    again.click();
    await vi.waitFor(() => expect(String(fetched.mock.calls[0]?.[0])).toContain('redeem'));
  });
});

describe('a table that is refused', () => {
  test.each([
    ['removed', 'You were sent away', 'Come back'],
    ['banned', 'You are banned from this table', null],
    ['signed-out', 'You are signed out', null],
    ['locked', "You can't come in", 'Try again'],
  ])('for %s has a heading of its own', async (code, heading, way) => {
    serve('', 'p1');
    render(TablePage, { code: 'abc' });
    await vi.waitFor(() => expect(Line.all).toHaveLength(1));
    Line.all[0]!.refuses(code);
    expect(await screen.findByRole('heading', { name: heading })).toBeTruthy();
    expect(screen.queryByRole('button')?.textContent ?? null).toBe(way);
    if (!way) return;
    screen.getByRole('button').click();
    await vi.waitFor(() => expect(Line.all).toHaveLength(2));
  });
});
