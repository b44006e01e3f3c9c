import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table/table.svelte';
import TurnNotifier from '../../src/app/TurnNotifier.svelte';
import { settle } from '../test_table';

const close = vi.fn();
const told: [string, NotificationOptions][] = [];

class Shown {
  static permission = 'granted';
  static requestPermission = vi.fn(async () => Shown.permission);
  close = close;
  constructor(title: string, options: NotificationOptions) {
    told.push([title, options]);
  }
}

beforeEach(async () => {
  await words.load('en');
  told.length = 0;
  close.mockClear();
  Shown.permission = 'granted';
  vi.stubGlobal('Notification', Shown);
  HTMLDialogElement.prototype.showModal ??= () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  look(true);
  settings.change({ notify: null });
});

function look(here: boolean): void {
  Object.defineProperty(document, 'hidden', { value: !here, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

const at = (isMyTurn: boolean, clock: object | null = null): Table =>
  ({ playing: true, isMyTurn, clock, game: 'bebop', store: { table: { table: 'abcdef' } } }) as unknown as Table;

test('a notification is shown while the page is hidden, and closed when it is visible', async () => {
  settings.change({ notify: true });
  const { rerender } = render(TurnNotifier, { table: at(false) });
  look(false);
  await rerender({ table: at(true) });
  await settle();
  expect(told.map(([title, { tag }]) => [title, tag])).toEqual([["It's your turn", 'abcdef']]);
  look(true);
  await settle();
  expect(close).toHaveBeenCalled();
});

test('no notification is shown on a visible page, or if they are disabled', async () => {
  settings.change({ notify: true });
  const { rerender } = render(TurnNotifier, { table: at(false) });
  await rerender({ table: at(true) });
  settings.change({ notify: false });
  look(false);
  await settle();
  look(true);
  await settle();
  expect(told).toEqual([]);
  expect(screen.queryByText('Shall we call you?')).toBeNull();
});

test('a reader who has missed a turn is asked for permission, once', async () => {
  Shown.permission = 'default';
  const { rerender } = render(TurnNotifier, { table: at(false) });
  expect(Shown.requestPermission).not.toHaveBeenCalled();
  look(false);
  await rerender({ table: at(true) });
  look(true);
  await settle();
  Shown.permission = 'granted';
  screen.getByText('Yes, call me').click();
  await settle();
  expect(Shown.requestPermission).toHaveBeenCalledTimes(1);
  expect(settings.stored.notify).toBe(true);
  expect(screen.queryByText('Shall we call you?')).toBeNull();
});

test('nobody is asked for permission while a clock runs', async () => {
  const { rerender } = render(TurnNotifier, { table: at(false) });
  look(false);
  await rerender({ table: at(true, { running: true }) });
  look(true);
  await settle();
  expect(screen.queryByText('Shall we call you?')).toBeNull();
});
