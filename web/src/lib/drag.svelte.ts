/** Drag and drop with mouse, pen or touch. */
import { pointerOf, DRAG_THRESHOLD, pointOf, type Point } from './pointer';

/** A draggable element and its callbacks. */
export interface Carrier<T> {
  mayTake(thing: T): boolean;
  take(thing: T): void;
  over(at: Point): void; // called for each movement
  put(thing: T, at: Point, pointer: string): void;
  letGo(): void; // the drag was cancelled
}

export class Drag<T> {
  thing = $state.raw<T | null>(null); // the dragged element
  at = $state.raw<Point>({ x: 0, y: 0 }); // position in the window
  pointer = 'mouse';
  private press: { thing: T; from: Point; on: Element } | null = null;
  private ears: AbortController | null = null;
  private dragged = false;

  constructor(private readonly carrier: Carrier<T>) {}

  /** Handle a press; a drag starts once the pointer has moved far enough. */
  down(event: PointerEvent, thing: T): void {
    this.stop();
    this.pointer = pointerOf(event);
    this.dragged = false;
    if (event.button !== 0 || !this.carrier.mayTake(thing)) return;
    this.press = { thing, from: pointOf(event), on: event.currentTarget as Element };
    this.listen();
  }

  /** Cancel without callbacks. */
  stop(): void {
    this.ears?.abort();
    this.press = this.thing = null;
  }

  /** Whether the following click is only the end of a drag. */
  tookClick(): boolean {
    const took = this.dragged;
    this.dragged = false;
    return took;
  }

  /** A fast pointer leaves the pressed element at once, so listeners are on the window. */
  private listen(): void {
    const ears = (this.ears = new AbortController());
    addEventListener('pointermove', (event) => this.move(event), ears);
    addEventListener('pointerup', (event) => this.up(event), ears);
    addEventListener('pointercancel', () => this.cancel(), ears);
  }

  private move(event: PointerEvent): void {
    const { from, thing, on } = this.press!;
    const at = pointOf(event);
    if (!this.dragged && Math.hypot(at.x - from.x, at.y - from.y) < DRAG_THRESHOLD) return;
    if (!this.dragged) {
      this.dragged = true;
      on.setPointerCapture?.(event.pointerId);
      this.carrier.take(thing);
    }
    [this.thing, this.at] = [thing, at];
    this.carrier.over(at);
  }

  private up(event: PointerEvent): void {
    const thing = this.thing;
    this.stop();
    if (thing !== null) this.carrier.put(thing, pointOf(event), this.pointer);
  }

  private cancel(): void {
    const held = this.thing !== null;
    this.stop();
    if (held) this.carrier.letGo();
  }
}
