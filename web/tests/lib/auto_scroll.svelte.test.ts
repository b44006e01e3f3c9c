import { flushSync } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { autoScroll } from '$lib/components/auto_scroll.svelte';

const LINE = 40;
let resized: () => void;
let stop: () => void;

vi.stubGlobal(
  'ResizeObserver',
  class {
    constructor(listener: () => void) {
      resized = listener;
    }
    observe(): void {}
    disconnect(): void {}
  },
);

/** Let the next frame be drawn, with which a list is scrolled. */
async function drawn(): Promise<void> {
  flushSync();
  await new Promise(requestAnimationFrame);
}

/** A list in a room of a given height, as a browser lays it out: no further than its end can it be scrolled. */
async function list(lines: number, height: number) {
  const element = document.createElement('div');
  const box = { lines, height, top: 0 };
  const end = (): number => Math.max(0, box.lines * LINE - box.height);
  Object.defineProperties(element, {
    scrollHeight: { get: () => box.lines * LINE },
    clientHeight: { get: () => box.height },
    scrollTop: { get: () => box.top, set: (to: number) => (box.top = Math.min(to, end())) },
  });
  let grown = $state(0);
  stop = $effect.root(() => void autoScroll(() => grown)(element));
  await drawn();
  return {
    element,
    box,
    atEnd: () => box.top === end(),
    scrolled: () => element.dispatchEvent(new Event('scroll')),
    add: (count = 1) => ((box.lines += count), grown++, drawn()),
  };
}

afterEach(() => stop());

describe('a list that scrolls to its end', () => {
  it('keeps following if it shrinks before the last scroll event', async () => {
    const log = await list(20, 400);
    await log.add();
    log.box.height = 200; // the line-up fills at the Drop
    log.scrolled();
    await log.add();
    expect(log.atEnd()).toBe(true);
  });

  it('shows its end as soon as it has shrunk', async () => {
    const log = await list(20, 400);
    log.box.height = 200;
    resized();
    expect(log.atEnd()).toBe(true);
  });

  it('stays where the reader has scrolled, and follows again from the end', async () => {
    const log = await list(20, 400);
    log.scrolled();
    log.element.scrollTop = 100;
    log.scrolled();
    await log.add();
    resized();
    expect(log.box.top).toBe(100);
    log.element.scrollTop = 10_000;
    log.scrolled();
    await log.add();
    expect(log.atEnd()).toBe(true);
  });
});
