import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { explains, tips } from '$lib/tips.svelte';
import Tooltip from '../src/table/Tooltip.svelte';

let thing: HTMLElement;
let pressed: number;

function lay(kind: 'button' | 'span'): void {
  thing = document.body.appendChild(document.createElement(kind));
  thing.addEventListener('click', () => pressed++);
  explains(thing, 'It is red.');
}

let x = 0; // where the mouse is
const mouse = (type: string, by = 0): Promise<boolean> =>
  fireEvent(thing, new PointerEvent(type, { pointerType: 'mouse', bubbles: true, screenX: (x += by) }));

/** Move the mouse onto the thing. */
async function hover(): Promise<void> {
  await mouse('pointerenter', 10);
  await mouse('pointermove');
}

const touch = (type: string, more: PointerEventInit = {}): Promise<boolean> =>
  fireEvent(thing, new PointerEvent(type, { pointerType: 'touch', bubbles: true, ...more }));

beforeEach(() => {
  vi.useFakeTimers();
  pressed = 0;
  render(Tooltip);
});
afterEach(() => {
  cleanup();
  thing.remove();
  tips.hide();
  vi.useRealTimers();
});

async function read(): Promise<string | undefined> {
  await tick();
  return screen.queryByRole('tooltip')?.textContent?.trim();
}

describe('an element with a tip', () => {
  test('shows it on hover, until the mouse leaves', async () => {
    lay('button');
    await hover();
    expect(await read()).toBeUndefined();
    vi.advanceTimersByTime(400);
    expect(await read()).toBe('It is red.');
    await mouse('pointerleave');
    expect(await read()).toBeUndefined();
  });

  test('keeps silent where it slides under a resting mouse, until that moves', async () => {
    lay('button');
    await hover();
    await mouse('pointerleave', 500);
    await mouse('pointermove'); // somewhere else, where the mouse comes to rest
    await mouse('pointerenter');
    await mouse('pointermove'); // as browsers send it after a change of the layout
    vi.advanceTimersByTime(1000);
    expect(await read()).toBeUndefined();
    await mouse('pointermove', 3);
    vi.advanceTimersByTime(400);
    expect(await read()).toBe('It is red.');
  });

  test('shows it after a long press, which does not click', async () => {
    lay('button');
    await touch('pointerdown');
    vi.advanceTimersByTime(500);
    expect(await read()).toBe('It is red.');
    await touch('pointerup');
    await touch('click');
    expect([pressed, await read()]).toEqual([0, 'It is red.']);
    await touch('pointerdown');
    expect(await read()).toBeUndefined();
  });

  test('is clicked by a tap, and dragged by a moving finger', async () => {
    lay('button');
    await touch('pointerdown');
    await touch('pointerup');
    await touch('click');
    expect(pressed).toBe(1);
    await touch('pointerdown', { clientX: 0 });
    await touch('pointermove', { clientX: 40 });
    vi.advanceTimersByTime(500);
    expect(await read()).toBeUndefined();
  });

  test('hides it when the element is removed', async () => {
    lay('button');
    await hover();
    vi.advanceTimersByTime(400);
    expect(await read()).toBe('It is red.');
    thing.remove();
    vi.advanceTimersByTime(400);
    expect(await read()).toBeUndefined();
  });

  test('hides it on navigation', async () => {
    lay('span');
    await touch('click');
    expect(await read()).toBe('It is red.');
    cleanup();
    render(Tooltip);
    expect(await read()).toBeUndefined();
  });

  test('shows it on a tap if it is not clickable, and to screen readers', async () => {
    lay('span');
    await touch('click');
    expect(await read()).toBe('It is red.');
    expect(thing.getAttribute('aria-description')).toBe('It is red.');
    await fireEvent.keyDown(window, { key: 'Escape' });
    expect(await read()).toBeUndefined();
  });
});
