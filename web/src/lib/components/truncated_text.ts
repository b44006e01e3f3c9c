/** Shows truncated text in full on hover or tap. */
import { REST, tips } from '../tips.svelte';

let timer: ReturnType<typeof setTimeout> | undefined;
let expanded: HTMLElement | null = null; // what is shown in full

/** The element around a point whose text is cut; a few steps up, because icons and marks may stand in it. */
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

/** A mouse has come to rest: only now is measured, because a layout is dear while a table changes. */
function rest(target: EventTarget | null): void {
  const found = cutAround(target);
  if (found && !found.closest('[title]')) show(found);
}

export const cut = {
  over({ pointerType, target }: PointerEvent): void {
    clearTimeout(timer);
    if (pointerType === 'mouse') timer = setTimeout(() => rest(target), REST);
  },

  out({ pointerType, target }: PointerEvent): void {
    clearTimeout(timer);
    if (pointerType === 'mouse' && expanded?.contains(target as Node)) tips.hide();
  },

  /** A tap on what does nothing else. */
  tap({ target }: MouseEvent): void {
    if ((target as Element).closest('button, a, label')) return;
    const found = cutAround(target);
    if (found) show(found);
  },
};
