/** Pointer type and position of an event. */
export const DRAG_THRESHOLD = 8; // px a pointer may move before a press becomes a drag

/** A point in the window or in a drawing's coordinates. */
export interface Point {
  x: number;
  y: number;
}

/** The pointer type of an event; a key counts as a mouse, because it is as precise. */
export function pointerOf(event: Event): string {
  return (event instanceof PointerEvent && event.pointerType) || 'mouse';
}

export function pointOf(event: MouseEvent): Point {
  return { x: event.clientX, y: event.clientY };
}

/** Where the mouse rests. A page that changes under it sends events, too, but of a pointer that has not moved. */
class RestingMouse {
  private at: Point | null = null;
  private moves = false;

  constructor() {
    addEventListener('pointermove', (event) => this.follow(event), { capture: true });
    // after a tap browsers send the move of a mouse to where the finger was
    addEventListener('pointerdown', (event) => this.follow(event), { capture: true });
  }

  /** Whether a pointermove event is one of a mouse that has moved. */
  isMovedBy({ pointerType }: PointerEvent): boolean {
    return pointerType === 'mouse' && this.moves;
  }

  private follow({ screenX: x, screenY: y }: PointerEvent): void {
    this.moves = this.at?.x !== x || this.at?.y !== y;
    this.at = { x, y };
  }
}

export const mouse = new RestingMouse();
