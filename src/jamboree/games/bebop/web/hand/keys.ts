/**
 * Keyboard shortcuts of the hand: 1 to 3 select a die, 4 to 9 a seat, in the order shown; 0 is the bag, or the
 * action that needs no piece; `-` turns a seat over. A letter and a number select a hex by its name.
 */
import type { Model } from '../model/model.svelte';
import { HAND, SPECIALS } from '../model/wire';

const PATIENCE = 1500; // ms in which a name is typed to its end
const TRAY = [
  ...Array.from({ length: HAND }, (_, die) => `hand-${die}`),
  ...['basic', ...SPECIALS].map((tile) => `supply-${tile}`),
];
export const [LAST, OVER] = ['0', '-'];

/** The key for a place of the tray or the queue. */
export function keyFor(place: string): string | undefined {
  if (place === 'bag') return LAST;
  const queued = /^queue-(\d)$/.exec(place)?.[1];
  const at = queued === undefined ? TRAY.indexOf(place) : Number(queued);
  return at < 0 ? undefined : `${at + 1}`;
}

export class Keys {
  private typed = '';
  private since = 0;

  constructor(
    private readonly model: Model,
    private readonly tray: () => HTMLElement,
  ) {}

  /** Follow a key; tell whether it meant something. */
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

  /** What the key is for now; or else the piece that it is usually for, which will say why it can't be used. */
  private button(key: string): HTMLElement | null {
    if (!/^[\d-]$/.test(key)) return null;
    const usual = TRAY[Number(key) - 1] ?? '';
    const find = (selector: string): HTMLElement | null => this.tray().querySelector(`button${selector}`);
    return find(`[aria-keyshortcuts="${key}"]`) ?? find(`[data-at="${usual}"]`);
  }
}
