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

/** What the server answers: a link is refused, unless there is no code, and the device has a seat or none. */
function serve(code: string, person: string | null): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    if (path.endsWith('redeem'))
      return Promise.resolve(new Response(JSON.stringify({ code, sentence: '' }), { status: code ? 403 : 201 }));
    return Promise.resolve(new Response(JSON.stringify({ you: { person, seat: null } })));
  });
  return asked;
}

const redeemed = (asked: string[]): number => asked.filter((path) => path.endsWith('redeem')).length;

beforeEach(async () => {
  await words.load('en');
  Line.all = [];
  localStorage.clear();
  vi.stubGlobal('WebSocket', Line);
  location.hash = '';
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a link for another device', () => {
  test('that was used before says so, and links to the table', async () => {
    serve('wrong-token', null);
    render(TablePage, { code: 'abc', secret: 'used' });
    (await screen.findByRole('button', { name: 'Use the link' })).click();
    expect(await screen.findByText('This link has been used already, or your seat was given away.')).toBeTruthy();
    expect(location.hash).toBe('');
    screen.getByRole('button', { name: 'Go to the table' }).click();
    expect(location.hash).toBe('#/t/abc');
  });

  test('that this device has used leads to its seat without a question', async () => {
    serve('', null);
    const first = render(TablePage, { code: 'abc', secret: 'used' });
    (await screen.findByRole('button', { name: 'Use the link' })).click();
    await vi.waitFor(() => expect(location.hash).toBe('#/t/abc'));
    first.unmount();
    location.hash = '';
    serve('wrong-token', 'p1');
    render(TablePage, { code: 'abc', secret: 'used' });
    await vi.waitFor(() => expect(location.hash).toBe('#/t/abc'));
  });

  test('takes effect only after a press if this device has no seat', async () => {
    const asked = serve('', null);
    render(TablePage, { code: 'abc', secret: 'hers' });
    expect(await screen.findByRole('heading', { name: 'Play with this link?' })).toBeTruthy();
    expect([redeemed(asked), location.hash]).toEqual([0, '']);
    screen.getByRole('button', { name: 'Use the link' }).click();
    await vi.waitFor(() => expect([redeemed(asked), location.hash]).toEqual([1, '#/t/abc']));
  });

  test('can be declined if this device has no seat', async () => {
    const asked = serve('', null);
    render(TablePage, { code: 'abc', secret: 'hers' });
    (await screen.findByRole('button', { name: "Don't use it" })).click();
    await vi.waitFor(() => expect(location.hash).toBe('#/t/abc'));
    expect(redeemed(asked)).toBe(0);
  });

  test('that would replace a seat of this device takes effect only after a press', async () => {
    const asked = serve('', 'p1');
    render(TablePage, { code: 'abc', secret: 'hers' });
    expect(await screen.findByRole('heading', { name: 'You have a seat at this table' })).toBeTruthy();
    expect([redeemed(asked), location.hash]).toEqual([0, '']);
    screen.getByRole('button', { name: 'Use the link' }).click();
    await vi.waitFor(() => expect([redeemed(asked), location.hash]).toEqual([1, '#/t/abc']));
  });

  test('that would replace a seat of this device can be declined', async () => {
    const asked = serve('', 'p1');
    render(TablePage, { code: 'abc', secret: 'hers' });
    (await screen.findByRole('button', { name: 'Keep my seat' })).click();
    await vi.waitFor(() => expect(location.hash).toBe('#/t/abc'));
    expect(redeemed(asked)).toBe(0);
  });

  test('that failed can be retried', async () => {
    const asked = serve('too-many-devices', null);
    render(TablePage, { code: 'abc', secret: 'good' });
    (await screen.findByRole('button', { name: 'Use the link' })).click();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(redeemed(asked)).toBe(1);
    again.click();
    await vi.waitFor(() => expect(redeemed(asked)).toBe(2));
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
