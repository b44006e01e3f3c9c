/** Names and other words that do not fit: what is cut is shown in full, under a mouse that rests or at a tap. */
import { REST, tips } from '../tips.svelte';

let timer: ReturnType<typeof setTimeout> | undefined;

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
  tips.shown = { text: element.textContent.trim(), at: element.getBoundingClientRect() };
}

export const cut = {
  over({ pointerType, target }: PointerEvent): void {
    clearTimeout(timer);
    const found = pointerType === 'mouse' ? cutAround(target) : null;
    if (found && !found.closest('[title]')) timer = setTimeout(() => show(found), REST);
  },

  out({ pointerType, target }: PointerEvent): void {
    clearTimeout(timer);
    if (pointerType === 'mouse' && cutAround(target)) tips.hide();
  },

  /** A tap on what does nothing else. */
  tap({ target }: MouseEvent): void {
    const found = cutAround(target);
    if (found && !found.closest('button, a, label')) show(found);
  },
};
