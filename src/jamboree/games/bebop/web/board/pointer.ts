/** What pressed: a mouse, a finger or a pen; a key counts as a mouse, for it can aim as well. */
export function pointerOf(event: Event): string {
  return (event instanceof PointerEvent && event.pointerType) || 'mouse';
}
