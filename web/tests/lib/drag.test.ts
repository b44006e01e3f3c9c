import { fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Drag, type Carrier } from '$lib/drag.svelte';
import type { Point } from '$lib/pointer';

let told: string[];
let open: boolean;
let drag: Drag<string>;
let card: HTMLElement;

const at = ({ x, y }: Point): string => `${x},${y}`;
const carrier: Carrier<string> = {
  mayTake: () => open,
  take: (thing) => void told.push(`take ${thing}`),
  over: (place) => void told.push(`over ${at(place)}`),
  put: (thing, place, pointer) => void told.push(`put ${thing} ${at(place)} ${pointer}`),
  letGo: () => void told.push('let go'),
};

beforeEach(() => {
  [told, open] = [[], true];
  drag = new Drag(carrier);
  document.body.innerHTML = '<button></button><main></main>';
  card = document.querySelector('button')!;
  card.addEventListener('pointerdown', (event) => drag.down(event, 'ace'));
});

afterEach(() => drag.stop());

function pointer(type: string, on: Element, x: number, y: number, more: PointerEventInit = {}): Promise<boolean> {
  const place = { clientX: x, clientY: y, pointerId: 1, pointerType: 'touch', bubbles: true, ...more };
  return fireEvent(on, new PointerEvent(type, place));
}
const press = (more?: PointerEventInit): Promise<boolean> => pointer('pointerdown', card, 10, 10, more);

test('an element is dragged and dropped, without a click at the end', async () => {
  await press();
  await pointer('pointermove', card, 30, 10);
  expect([drag.thing, drag.at]).toEqual(['ace', { x: 30, y: 10 }]);
  await pointer('pointerup', card, 40, 50);
  expect(told).toEqual(['take ace', 'over 30,10', 'put ace 40,50 touch']);
  expect(drag.thing).toBeNull();
  expect([drag.tookClick(), drag.tookClick()]).toEqual([true, false]);
});

test('a fast pointer that leaves the element at once still drags it', async () => {
  await press({ pointerType: 'mouse' });
  await pointer('pointermove', document.querySelector('main')!, 300, 200);
  expect(told).toEqual(['take ace', 'over 300,200']);
});

test('a small movement of a finger is a tap', async () => {
  await press();
  await pointer('pointermove', card, 15, 14);
  await pointer('pointerup', card, 15, 14);
  expect(told).toEqual([]);
  expect(drag.tookClick()).toBe(false);
});

test.each([
  ['with another button', { button: 2 }, true],
  ['while it may not be taken', {}, false],
])('nothing is dragged %s', async (_, more, may) => {
  open = may;
  await press(more);
  await pointer('pointermove', card, 90, 90);
  expect(told).toEqual([]);
});

test('a cancelled pointer ends the drag', async () => {
  await press();
  await pointer('pointermove', card, 30, 10);
  await pointer('pointercancel', card, 30, 10);
  await pointer('pointermove', card, 80, 80);
  expect(told).toEqual(['take ace', 'over 30,10', 'let go']);
});

test('a cancelled drag has no drop', async () => {
  await press();
  await pointer('pointermove', card, 30, 10);
  drag.stop();
  await pointer('pointerup', card, 60, 60);
  expect(told).toEqual(['take ace', 'over 30,10']);
  expect(drag.tookClick()).toBe(true);
});
