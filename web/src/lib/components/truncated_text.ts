/** Shows truncated text in full on hover or tap. */
import { mouse } from '../pointer';
import { HOVER_DELAY, tips } from '../tips.svelte';

let timer: ReturnType<typeof setTimeout> | undefined;
let expanded: HTMLElement | null = null; // the element shown in full

/** The truncated element at a point, or one of its nearest ancestors. */
function cutAround(target: EventTarget | null): HTMLElement | null {
  let element = target instanceof Element ? target : null;
  for (let steps = 0; element && steps < 3; steps += 1, element = element.parentElement) {
    if (element instanceof HTMLElement && isCut(element)) return element;
  }
  return null;
}

const isCut = (element: HTMLElement): boolean =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis';

function show(element: HTMLElement): void {
  expanded = element;
  tips.shown = { text: element.textContent.trim(), of: element, at: element.getBoundingClientRect() };
}

/** Measure only once the mouse rests, because a layout is expensive while a table changes. */
function rest(target: EventTarget | null): void {
  const found = cutAround(target);
  if (found && !found.closest('[title]')) show(found);
}

export const cut = {
  over(event: PointerEvent): void {
    if (!mouse.isMovedBy(event) || (tips.shown && expanded?.contains(event.target as Node))) return;
    clearTimeout(timer);
    timer = setTimeout(() => rest(event.target), HOVER_DELAY);
  },

  out({ pointerType, target }: PointerEvent): void {
    clearTimeout(timer);
    if (pointerType === 'mouse' && expanded?.contains(target as Node)) tips.hide();
  },

  /** A tap on an element without another action. */
  tap({ target }: MouseEvent): void {
    if ((target as Element).closest('button, a, label')) return;
    const found = cutAround(target);
    if (found) show(found);
  },
};
