import { cleanup, render } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { Table } from '$lib/table/table.svelte';
import RealTimeEffects from '../src/table/RealTimeEffects.svelte';
import { settle } from './test_table';

afterEach(() => {
  cleanup();
  for (const name of ['wakeLock', 'vibrate']) Reflect.deleteProperty(navigator, name);
});

function phone(): { request: ReturnType<typeof vi.fn>; release: ReturnType<typeof vi.fn> } {
  const release = vi.fn(() => Promise.resolve());
  const request = vi.fn(() => Promise.resolve({ release }));
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  Object.defineProperty(navigator, 'vibrate', { value: vi.fn(), configurable: true });
  return { request, release };
}

const at = (kind: string, prompt: string): Table =>
  ({ playing: true, me: 0, prompt, store: { clock: { kind } } }) as unknown as Table;

test('the screen stays awake in real time, also after the page was hidden, and a new phase vibrates', async () => {
  const { request, release } = phone();
  const { rerender, unmount } = render(RealTimeEffects, { table: at('phase', 'Talk!') });
  await settle();
  expect(request).toHaveBeenCalledTimes(1);
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(request).toHaveBeenCalledTimes(2);
  expect(navigator.vibrate).not.toHaveBeenCalled();
  await rerender({ table: at('phase', 'Jump!') });
  expect(navigator.vibrate).toHaveBeenCalledTimes(1);
  unmount();
  await settle();
  expect(release).toHaveBeenCalled();
});

test('without a phase clock a phone may sleep', async () => {
  const { request } = phone();
  render(RealTimeEffects, { table: at('decision', 'Your turn.') });
  await settle();
  expect(request).not.toHaveBeenCalled();
});
