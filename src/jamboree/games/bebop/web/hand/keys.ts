/**
 * Keyboard shortcuts of the hand: 1 to 3 select a die, 4 to 9 a seat, in the order shown; 0 is the bag, or the
 * action that needs no piece; `-` turns a seat over. A letter and a number select a hex by its name.
 */
import type { BebopModel } from '../model/model.svelte';
import { HAND, SPECIALS } from '../model/wire';

const PATIENCE = 1500; // ms within which a name has to be typed
const TRAY = [
  ...Array.from({ length: HAND }, (_, die) => `hand-${die}`),
  ...['basic', ...SPECIALS].map((tile) => `supply-${tile}`),
];
export const [LAST, OVER] = ['0', '-'];

/** The key of a slot of the hand or the queue. */
export function keyFor(place: string): string | undefined {
  if (place === 'bag') return LAST;
  const queued = /^queue-(\d)$/.exec(place)?.[1];
  const at = queued === undefined ? TRAY.indexOf(place) : Number(queued);
  return at < 0 ? undefined : `${at + 1}`;
}

export class KeyboardShortcuts {
  private typed = '';
  private since = 0;

  constructor(
    private readonly model: BebopModel,
    private readonly tray: () => HTMLElement,
  ) {}

  /** Handle a key; return whether it was used. */
  press(key: string, now: number): boolean {
    if (now - this.since > PATIENCE) this.typed = '';
    return this.goesToHex(key, now) || this.takes(key);
  }

  private goesToHex(key: string, now: number): boolean {
    const letter = /^[a-z]$/i.test(key);
    const name = letter ? key.toLowerCase() : this.typed + key;
    if (!letter && !this.model.hexAt(name)) return false;
    [this.typed, this.since] = [name, now];
    if (!letter) this.model.summon(name);
    return true;
  }

  private takes(key: string): boolean {
    const button = this.button(key);
    this.typed = '';
    button?.focus();
    button?.click();
    return !!button;
  }

  /** The piece of a key that is usable now, otherwise the usual one, which will show why it can't be used. */
  private button(key: string): HTMLElement | null {
    if (!/^[\d-]$/.test(key)) return null;
    const usual = TRAY[Number(key) - 1] ?? '';
    const find = (selector: string): HTMLElement | null => this.tray().querySelector(`button${selector}`);
    return find(`[aria-keyshortcuts="${key}"]`) ?? find(`[data-at="${usual}"]`);
  }
}
