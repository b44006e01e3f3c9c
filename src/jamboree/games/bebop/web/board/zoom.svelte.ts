/** Zoom and pan of a picture by pinch, drag and double tap, and by Ctrl with the wheel, which trackpads send. */
import type { Attachment } from 'svelte/attachments';
import { pointerOf, DRAG_THRESHOLD, pointOf, type Point } from '$lib/pointer';
import type { Box } from './hexes';

const MOST = 4;
const NEAR = 2.2; // scale after a double tap
const DOUBLE = 320; // ms between two taps
const FILLED = 0.8; // share of the area that a zoomed target fills

export class Zoom {
  scale = $state(1);
  x = $state(0);
  y = $state(0);
  follows = $state(false); // zoomed by an animation, not by hand
  private readonly fingers = new Map<number, Point>();
  private moved = false;
  private lastTap = -DOUBLE;

  get style(): string {
    return this.scale === 1 ? '' : `transform: translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }

  reset(): void {
    [this.scale, this.x, this.y, this.follows] = [1, 0, 0, false];
  }

  /** Zoom in on a part of the picture. */
  frame(part: Box, size: { width: number; height: number }): void {
    const scale = Math.min(NEAR, FILLED * Math.min(size.width / part.width, size.height / part.height));
    if (scale <= 1) return this.leave();
    const at = (start: number, length: number, available: number): number =>
      keep(available / 2 - (start + length / 2) * scale, available, scale);
    const [x, y] = [at(part.x, part.width, size.width), at(part.y, part.height, size.height)];
    [this.scale, this.x, this.y, this.follows] = [scale, x, y, true];
  }

  /** Zoom out, unless the reader has zoomed by hand. */
  leave(): void {
    if (this.follows) this.reset();
  }

  readonly attach: Attachment<HTMLElement> = (place) => {
    const options = { signal: undefined as AbortSignal | undefined, passive: false };
    const stop = new AbortController();
    options.signal = stop.signal;
    place.addEventListener('pointerdown', (event) => this.down(event), options);
    place.addEventListener('pointermove', (event) => this.move(event, place), options);
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      place.addEventListener(end, (event) => this.up(event), options);
    }
    place.addEventListener('wheel', (event) => this.wheel(event, place), options);
    place.addEventListener('click', (event) => this.click(event, place), { ...options, capture: true });
    return () => stop.abort();
  };

  private down(event: PointerEvent): void {
    if (!this.fingers.size) this.moved = false;
    this.fingers.set(event.pointerId, pointOf(event));
  }

  private move(event: PointerEvent, place: HTMLElement): void {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other && !this.moved && Math.hypot(now.x - before.x, now.y - before.y) < DRAG_THRESHOLD) return;
    this.moved = true;
    this.fingers.set(event.pointerId, now);
    if (other) this.pinch(before, now, other, place);
    else if (this.scale > 1) this.shift(now.x - before.x, now.y - before.y, place);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
  }

  private wheel(event: WheelEvent, place: HTMLElement): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 120), pointOf(event), place);
  }

  /** A drag is not a tap; a double tap zooms in or out. */
  private click(event: MouseEvent, place: HTMLElement): void {
    if (this.moved) event.stopPropagation();
    this.moved = false;
    if (pointerOf(event) !== 'touch') return;
    if (event.timeStamp - this.lastTap < DOUBLE) {
      if (this.scale > 1) this.reset();
      else this.by(NEAR, pointOf(event), place);
    }
    this.lastTap = event.timeStamp;
  }

  private pinch(before: Point, now: Point, other: Point, place: HTMLElement): void {
    const [was, is] = [before, now].map((finger) => Math.hypot(finger.x - other.x, finger.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (was && is) this.by(is / was, middle, place);
    this.shift((now.x - before.x) / 2, (now.y - before.y) / 2, place);
  }

  private by(factor: number, at: Point, place: HTMLElement): void {
    const box = place.getBoundingClientRect();
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    const grown = scale / this.scale;
    const [left, top] = [at.x - box.left, at.y - box.top];
    [this.x, this.y, this.scale] = [left - (left - this.x) * grown, top - (top - this.y) * grown, scale];
    this.shift(0, 0, place);
  }

  /** Move the picture without showing its outside. */
  private shift(dx: number, dy: number, place: HTMLElement): void {
    this.follows = false;
    this.x = keep(this.x + dx, place.clientWidth, this.scale);
    this.y = keep(this.y + dy, place.clientHeight, this.scale);
  }
}

/** Clamp the picture's offset, so that it fills its area. */
function keep(at: number, size: number, scale: number): number {
  return Math.min(0, Math.max(size * (1 - scale), at));
}
