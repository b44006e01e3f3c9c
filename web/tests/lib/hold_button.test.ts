/** The button that opens a curtain: a tap opens nothing, and whoever can't hold presses twice. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AGAIN, HoldButton, HOLD } from '../../src/hotseat/hold_button.svelte';

let opened = 0;
let hold: HoldButton;

beforeEach(() => {
  vi.useFakeTimers();
  opened = 0;
  hold = new HoldButton(() => opened++);
});
afterEach(() => {
  hold.end();
  vi.useRealTimers();
});

test('it opens after being held long enough', () => {
  hold.start();
  vi.advanceTimersByTime(HOLD - 50);
  expect(opened).toBe(0);
  expect(hold.share).toBeGreaterThan(0.8);
  vi.advanceTimersByTime(100);
  expect(opened).toBe(1);
});

test('releasing too early cancels', () => {
  hold.start();
  vi.advanceTimersByTime(HOLD / 2);
  hold.stop();
  expect(hold.share).toBe(0);
  vi.advanceTimersByTime(HOLD * 2);
  expect(opened).toBe(0);
});

test('a double press opens it, if the second is in time', () => {
  hold.press();
  vi.advanceTimersByTime(AGAIN + 1);
  hold.press();
  expect(opened).toBe(0);
  hold.press();
  expect(opened).toBe(1);
});
