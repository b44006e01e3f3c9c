import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnimationScene } from '$lib/table/scene';
import { AnimationQueue } from '$lib/table/animation_queue.svelte';

interface Position {
  view: number;
}
const position = (view: number): Position => ({ view });

let shownEvents: string[];
let queue: AnimationQueue<Position>;
let animated: boolean;

/** A table UI that animates each event for a second. */
async function animate(event: { type: string }, scene: AnimationScene<unknown>): Promise<void> {
  shownEvents.push(`${event.type} ${scene.before}→${scene.after} with ${queue.shown!.view}`);
  await scene.wait(1000);
  if (event.type === 'shown early') scene.showAfter();
}

/** A table UI that animates each event in small steps, for a second in all. */
async function inFrames(_: { type: string }, scene: AnimationScene<unknown>): Promise<void> {
  for (let frame = 0; frame < 10; frame++) await scene.wait(100);
}

beforeEach(() => {
  vi.useFakeTimers();
  shownEvents = [];
  animated = true;
  queue = new AnimationQueue();
  queue.set(position(1));
  queue.animator = { animate, sceneContext: () => ({ root: null, animated, sound: () => undefined }) };
});

const add = (view: number, ...types: string[]): void =>
  queue.add({ events: types.map((type) => ({ type })), position: position(view) });

describe('the animation queue', () => {
  test('animates a step event by event before its position is shown', async () => {
    add(2, 'a', 'b');
    await vi.advanceTimersByTimeAsync(1100);
    expect(shownEvents).toEqual(['a 1→2 with 1', 'b 1→2 with 1']);
    expect(queue.animating).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(queue.shown).toEqual(position(2));
    expect(queue.animating).toBe(false);
  });

  test('lets the browser paint the events before the position is shown, unless skipped', async () => {
    const seen: number[] = [];
    queue.animator!.animate = () => Promise.resolve(void setTimeout(() => seen.push(queue.shown!.view)));
    add(2, 'a');
    await vi.advanceTimersByTimeAsync(1);
    expect([seen, queue.shown]).toEqual([[1], position(2)]);
    add(3, 'a');
    queue.skip();
    await vi.advanceTimersByTimeAsync(1);
    expect([seen, queue.shown]).toEqual([[1, 3], position(3)]);
  });

  test('delays synchronised events until their due time', async () => {
    queue.animator!.isSynchronised = ({ type }) => type === 'drop';
    queue.add({ events: [{ type: 'a' }, { type: 'drop' }], position: position(2), due: performance.now() + 1700 });
    await vi.advanceTimersByTimeAsync(1600);
    expect(shownEvents).toEqual(['a 1→2 with 1']);
    await vi.advanceTimersByTimeAsync(150);
    expect(shownEvents).toEqual(['a 1→2 with 1', 'drop 1→2 with 1']);
  });

  test('does not wait for a past due time, nor long for a distant one', async () => {
    queue.animator!.isSynchronised = () => true;
    queue.add({ events: [{ type: 'late' }], position: position(2), due: performance.now() - 5000 });
    await vi.advanceTimersByTimeAsync(10);
    expect(shownEvents).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    queue.add({ events: [{ type: 'far off' }], position: position(3), due: performance.now() + 60_000 });
    await vi.advanceTimersByTimeAsync(3100);
    expect(shownEvents).toHaveLength(2);
  });

  test('ignores a distant due time, which a device computes after sleep', async () => {
    const dues: (number | null | undefined)[] = [];
    queue.animator!.animate = (_, scene) => Promise.resolve(void dues.push(scene.due));
    const now = performance.now();
    queue.add({ events: [{ type: 'jury' }], position: position(2), due: now + 60_000 });
    await vi.advanceTimersByTimeAsync(10);
    add(3, 'alone');
    await vi.advanceTimersByTimeAsync(10);
    expect(dues).toEqual([now + 3000, null]);
  });

  test('may show the new position before the animation ends', async () => {
    add(2, 'shown early', 'b');
    await vi.advanceTimersByTimeAsync(1100);
    expect(shownEvents.at(-1)).toBe('b 1→2 with 2');
  });

  test('animates steps in order', async () => {
    add(2, 'a');
    add(3, 'b');
    expect(queue.queued).toBe(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(shownEvents).toEqual(['a 1→2 with 1', 'b 2→3 with 2']);
    expect(queue.shown).toEqual(position(3));
  });

  test('doubles the speed for each queued step', async () => {
    queue.animator!.animate = inFrames;
    add(2, 'a');
    add(3, 'b');
    await vi.advanceTimersByTimeAsync(500);
    expect(queue.shown).toEqual(position(1));
    await vi.advanceTimersByTimeAsync(100); // the first frame had begun at its own pace
    expect(queue.shown).toEqual(position(2));
  });

  test.each([1, 2, 5, 30])('animates %i simultaneous steps in time', async (steps) => {
    queue.animator!.animate = inFrames;
    for (let view = 2; view < steps + 2; view++) add(view, 'a', 'b');
    await vi.advanceTimersByTimeAsync(1600);
    expect(queue.shown).toEqual(position(steps + 1));
    expect(queue.animating).toBe(false);
  });

  test.each([50, 300, 700])('keeps up with bots that move every %i ms', async (between) => {
    queue.animator!.animate = inFrames;
    for (let view = 2; view < 42; view++) {
      add(view, 'a', 'b');
      await vi.advanceTimersByTimeAsync(between);
    }
    await vi.advanceTimersByTimeAsync(1600 - between);
    expect(queue.shown).toEqual(position(41));
  });

  test('skips the running animation with all queued steps', async () => {
    for (const view of [2, 3]) add(view, 'a', 'b');
    await vi.advanceTimersByTimeAsync(100);
    queue.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.shown).toEqual(position(3));
    expect(queue.animating).toBe(false);
  });

  test('animates the next step after a skip', async () => {
    add(2, 'a');
    await vi.advanceTimersByTimeAsync(100);
    queue.skip();
    await vi.advanceTimersByTimeAsync(0);
    add(3, 'b');
    await vi.advanceTimersByTimeAsync(500);
    expect(queue.animating).toBe(true);
  });

  test('takes no time without motion', async () => {
    animated = false;
    add(2, 'a', 'b');
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.shown).toEqual(position(2));
  });

  test('continues after an animation that throws', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    queue.animator!.animate = () => Promise.reject(new Error('no such element'));
    add(2, 'a');
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.shown).toEqual(position(2));
    expect(complaint).toHaveBeenCalled();
  });

  test('ends an animation that hangs', async () => {
    queue.animator!.animate = (_, scene) => scene.wait(3_600_000);
    add(2, 'a');
    await vi.advanceTimersByTimeAsync(13_000);
    expect(queue.shown).toEqual(position(2));
  });

  test('lets a long animation finish, and never speeds up unhurried pauses', async () => {
    queue.animator!.animate = async (_, scene) => {
      for (let card = 0; card < 6; card++) await scene.wait(10_000, true);
    };
    for (const view of [2, 3, 4, 5]) add(view, 'jury');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(queue.shown).toEqual(position(1));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(queue.shown).toEqual(position(2));
  });

  test('does not speed up after a deliberate pause', async () => {
    queue.animator!.animate = async (_, scene) => {
      await scene.wait(10_000, true);
      await scene.wait(600);
    };
    add(2, 'jury');
    await vi.advanceTimersByTimeAsync(10_500);
    expect(queue.animating).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(queue.animating).toBe(false);
  });

  test('pauses for reading, shorter without motion, until a tap', async () => {
    animated = false;
    queue.animator!.animate = (_, scene) => scene.pauseToRead(3000);
    for (const view of [2, 3]) add(view, 'still');
    await vi.advanceTimersByTimeAsync(1_400);
    expect(queue.shown).toEqual(position(1));
    await vi.advanceTimersByTimeAsync(200);
    expect(queue.shown).toEqual(position(2));
    queue.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.shown).toEqual(position(3));
  });

  test('drops its steps when the position is replaced', async () => {
    add(2, 'a');
    add(3, 'b');
    await vi.advanceTimersByTimeAsync(100);
    queue.set(position(9));
    await vi.advanceTimersByTimeAsync(5000);
    expect(queue.shown).toEqual(position(9));
    expect(shownEvents).toHaveLength(1);
  });

  test('shows steps without motion up to the requested position, and animates later ones', async () => {
    add(2, 'a');
    queue.skipTo(({ view }) => view === 3);
    add(3, 'b');
    await vi.advanceTimersByTimeAsync(1);
    expect([queue.shown!.view, queue.animating]).toEqual([3, false]);
    add(4, 'c');
    await vi.advanceTimersByTimeAsync(1);
    expect(queue.shown!.view).toBe(3);
  });

  test('delays important steps until the page is visible', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    queue.animator = { ...queue.animator!, waitsForViewer: ({ type }) => type === 'jury' };
    add(2, 'a');
    add(3, 'jury');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([shownEvents.length, queue.shown!.view]).toEqual([1, 2]);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(500);
    expect([shownEvents.length, queue.shown!.view]).toEqual([2, 2]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(queue.shown!.view).toBe(3);
    hidden.mockRestore();
  });
});
