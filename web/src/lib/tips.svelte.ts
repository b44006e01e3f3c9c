/** Tooltips: on hover, after a long press, or on a tap on a disabled control. */
import type { Action } from 'svelte/action';
import { SLIP, where, type Point } from './pointer';

export const REST = 350; // ms a mouse stands still
const LONG = 450; // ms a finger stays

export interface Tip {
  text: string;
  of: Element; // what it explains
  at: DOMRect; // where that lay
}

class Tips {
  shown = $state.raw<Tip | null>(null);

  hide(): void {
    this.shown = null;
  }
}

export const tips = new Tips();

/** Answer a press on something that can do nothing now. */
export function attachTip(element: Element, text: string): void {
  tips.shown = text ? { text, of: element, at: element.getBoundingClientRect() } : null;
}

/** Explain an element; people who do not see it are told as well. */
export const explains: Action<HTMLElement, string> = (element, text) => {
  const inert = !element.closest('button');
  let words = text;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: Point = { x: 0, y: 0 };
  let held = false; // so long that it is no tap any more

  const show = (): void => attachTip(element, words);
  const wait = (milliseconds: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  };
  const leave = (event: PointerEvent): void => {
    clearTimeout(timer);
    if (event.pointerType === 'mouse') tips.hide();
  };
  const on = {
    pointerenter: (event: PointerEvent) => event.pointerType === 'mouse' && wait(REST, show),
    pointerleave: leave,
    pointerup: leave,
    pointercancel: leave,
    pointerdown: (event: PointerEvent) => {
      [held, from] = [false, where(event)];
      if (event.pointerType !== 'mouse' && words) wait(LONG, () => (show(), (held = true)));
    },
    pointermove: (event: PointerEvent) => {
      const { x, y } = where(event);
      if (event.pointerType !== 'mouse' && Math.hypot(x - from.x, y - from.y) > SLIP) clearTimeout(timer);
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
