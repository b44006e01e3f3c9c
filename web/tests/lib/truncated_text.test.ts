import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tips } from '$lib/tips.svelte';
import Tooltip from '../../src/table/Tooltip.svelte';

const NAME = 'Wolfgang Amadeus Theophilus';
let name: HTMLElement;

/** A name in a box of 80 px, as wide as it says. */
function write(wide: number, around = 'div'): void {
  document.body.insertAdjacentHTML(
    'beforeend',
    `<${around} id="box"><b style="text-overflow: ellipsis"></b></${around}>`,
  );
  name = document.querySelector('#box b')!;
  name.textContent = NAME;
  Object.defineProperty(name, 'scrollWidth', { get: () => wide, configurable: true });
  Object.defineProperty(name, 'clientWidth', { value: 80 });
}

const rest = (): void => void vi.advanceTimersByTime(1000);
const mouse = { pointerType: 'mouse', bubbles: true };
let x = 0; // where the mouse is
const movedTo = (): PointerEvent => new PointerEvent('pointermove', { ...mouse, screenX: (x += 10) });

beforeEach(() => {
  vi.useFakeTimers();
  render(Tooltip);
});
afterEach(() => {
  tips.hide();
  document.querySelector('#box')?.remove();
  cleanup();
  vi.useRealTimers();
});

test('a truncated name is shown in full on hover', async () => {
  write(200);
  await fireEvent(name, movedTo());
  expect(tips.shown).toBeNull();
  rest();
  expect(tips.shown?.text).toBe(NAME);
  await fireEvent(name, new PointerEvent('pointerout', mouse));
  expect(tips.shown).toBeNull();
});

test('a truncated name is shown in full on a tap', async () => {
  write(200);
  await fireEvent.click(name);
  expect(tips.shown?.text).toBe(NAME);
});

test('nothing is measured while a mouse only passes by', async () => {
  write(200);
  const measure = vi.spyOn(name, 'scrollWidth', 'get');
  await fireEvent(name, movedTo());
  await fireEvent(name, new PointerEvent('pointerout', mouse));
  rest();
  expect(measure).not.toHaveBeenCalled();
  expect(tips.shown).toBeNull();
});

test('a name that fits is not shown again', async () => {
  write(80);
  await fireEvent.click(name);
  await fireEvent(name, movedTo());
  rest();
  expect(tips.shown).toBeNull();
});

test('a tap on a button presses the button', async () => {
  write(200, 'button');
  await fireEvent.click(name);
  expect(tips.shown).toBeNull();
});
