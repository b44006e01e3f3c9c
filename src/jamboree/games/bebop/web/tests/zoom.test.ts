import { beforeEach, expect, it } from 'vitest';
import { Zoom } from '../board/zoom.svelte';

let zoom: Zoom;
let place: HTMLElement;
let taps: number;

beforeEach(() => {
  zoom = new Zoom();
  place = document.createElement('div');
  Object.defineProperties(place, { clientWidth: { value: 400 }, clientHeight: { value: 400 } });
  const inner = place.appendChild(document.createElement('b'));
  taps = 0;
  inner.addEventListener('click', () => taps++);
  zoom.attach(place);
});

function finger(type: string, pointerId: number, clientX: number, clientY: number): void {
  const event = { pointerId, clientX, clientY, pointerType: 'touch', bubbles: true };
  place.firstElementChild!.dispatchEvent(new PointerEvent(type, event));
}

function pinch(from: number, to: number): void {
  finger('pointerdown', 1, 200 - from, 200);
  finger('pointerdown', 2, 200 + from, 200);
  finger('pointermove', 1, 200 - to, 200);
  finger('pointermove', 2, 200 + to, 200);
  finger('pointerup', 1, 200 - to, 200);
  finger('pointerup', 2, 200 + to, 200);
}

it('zooms around the middle of a pinch, and never shows the outside', () => {
  pinch(40, 80);
  expect(zoom.scale).toBeCloseTo(2, 1);
  expect(Math.abs(zoom.x + 200)).toBeLessThan(10);
  pinch(80, 10);
  expect([zoom.scale, zoom.x, zoom.y]).toEqual([1, 0, 0].map((value) => expect.closeTo(value, 3)));
});

it('is panned by one finger while zoomed, and a drag is not a tap', () => {
  pinch(40, 80);
  const before = zoom.x;
  finger('pointerdown', 1, 100, 100);
  finger('pointermove', 1, 160, 100);
  finger('pointerup', 1, 160, 100);
  finger('click', 1, 160, 100);
  expect(zoom.x).toBeCloseTo(before + 60, 0);
  expect(taps).toBe(0);
});

it('zooms in at a double tap', () => {
  const tap = (): void => ['pointerdown', 'pointerup', 'click'].forEach((type) => finger(type, 1, 300, 100));
  tap();
  expect(zoom.scale).toBe(1);
  tap();
  expect(zoom.scale).toBeGreaterThan(2);
  expect(300 * zoom.scale + zoom.x).toBeCloseTo(300 * zoom.scale - 300 * (zoom.scale - 1), 0);
  expect(taps).toBe(2);
});

it('passes taps on while zoomed, and a double tap zooms out', () => {
  pinch(40, 80);
  finger('pointerdown', 1, 100, 100);
  finger('pointerup', 1, 100, 100);
  finger('click', 1, 100, 100);
  finger('pointerdown', 1, 100, 100);
  finger('pointerup', 1, 100, 100);
  finger('click', 1, 100, 100);
  expect(taps).toBe(2);
  expect(zoom.scale).toBe(1);
});

it('zooms in on an animation, and zooms out afterwards', () => {
  zoom.frame({ x: 300, y: 20, width: 20, height: 20 }, { width: 400, height: 400 });
  const middle = 310 * zoom.scale + zoom.x;
  expect(zoom.scale).toBeGreaterThan(2);
  expect(middle).toBeGreaterThan(150);
  expect(middle).toBeLessThan(330);
  expect([zoom.x, zoom.y].every((at) => at <= 0 && at >= 400 * (1 - zoom.scale))).toBe(true);
  zoom.leave();
  expect(zoom.scale).toBe(1);
});

it('does not zoom for a large area, nor change a zoom made by hand', () => {
  zoom.frame({ x: 0, y: 0, width: 380, height: 390 }, { width: 400, height: 400 });
  expect(zoom.scale).toBe(1);
  pinch(40, 80);
  zoom.leave();
  expect(zoom.scale).toBeCloseTo(2, 1);
});
