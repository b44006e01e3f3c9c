/** Tooltips: when the mouse has moved onto an element, after a long press, or on a tap on a disabled control. */
import type { Action } from 'svelte/action';
import { DRAG_THRESHOLD, mouse, pointOf, type Point } from './pointer';

export const HOVER_DELAY = 350; // ms a mouse rests before a tip is shown
const LONG = 450; // ms of a long press

export interface Tip {
  text: string;
  of: Element; // the explained element
  at: DOMRect; // its box
}

class Tips {
  shown = $state.raw<Tip | null>(null);

  hide(): void {
    this.shown = null;
  }
}

export const tips = new Tips();

/** Show the tip of a pressed control that is disabled. */
export function attachTip(element: Element, text: string): void {
  tips.shown = text ? { text, of: element, at: element.getBoundingClientRect() } : null;
}

/** Attach a tip to an element, also as its accessible description. */
export const explains: Action<HTMLElement, string> = (element, text) => {
  const inert = !element.closest('button');
  let words = text;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: Point = { x: 0, y: 0 };
  let held = false; // long enough not to be a tap
  let hovered = false; // the mouse has moved here, rather than the element under the mouse

  const show = (): void => attachTip(element, words);
  const wait = (milliseconds: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  };
  const leave = (event: PointerEvent): void => {
    clearTimeout(timer);
    if (event.pointerType === 'mouse') tips.hide();
  };
  const hover = (event: PointerEvent): void => {
    if (hovered || !mouse.isMovedBy(event)) return;
    hovered = true;
    wait(HOVER_DELAY, show);
  };
  const on = {
    pointerenter: () => (hovered = false),
    pointerleave: leave,
    pointerup: leave,
    pointercancel: leave,
    pointerdown: (event: PointerEvent) => {
      [held, from] = [false, pointOf(event)];
      if (event.pointerType !== 'mouse' && words) wait(LONG, () => (show(), (held = true)));
    },
    pointermove: (event: PointerEvent) => {
      const { x, y } = pointOf(event);
      if (event.pointerType === 'mouse') hover(event);
      else if (Math.hypot(x - from.x, y - from.y) > DRAG_THRESHOLD) clearTimeout(timer);
    },
    click: (event: MouseEvent) => {
      if (held) event.stopPropagation();
      else if (inert) show();
      held = false;
    },
    contextmenu: (event: Event) => held && event.preventDefault(),
  };
  const update = (now: string): void => {
    words = now;
    if (words) element.setAttribute('aria-description', words);
    else element.removeAttribute('aria-description');
  };
  update(text);
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener as EventListener, true);
  return { update, destroy: () => clearTimeout(timer) };
};
