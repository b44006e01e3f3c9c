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
