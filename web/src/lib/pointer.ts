/** Pointer type and position of an event. */
export const SLIP = 8; // px a pointer may slip before a press is a drag

/** A place in the window, or in whatever drawing it is meant for. */
export interface Point {
  x: number;
  y: number;
}

/** What pressed; a key counts as a mouse, for it can aim as well. */
export function pointerOf(event: Event): string {
  return (event instanceof PointerEvent && event.pointerType) || 'mouse';
}

export function where(event: MouseEvent): Point {
  return { x: event.clientX, y: event.clientY };
}
