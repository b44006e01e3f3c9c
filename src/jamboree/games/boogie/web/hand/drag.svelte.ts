/** A card dragged by mouse, pen or finger, and the jump under it. */
import type { Laying } from './laying.svelte';
import type { Jump } from '../model/wire';
import { jumpKey } from '../model/cards';

const FAR = 7; // pixels that make a drag of a tap

export class Drag {
  card = $state.raw<string | null>(null);
  x = $state(0);
  y = $state(0);
  private from: { x: number; y: number; card: string; place: number } | null = null;
  private dragged = false;

  constructor(
    private readonly laying: Laying,
    private readonly jumps: () => readonly Jump[],
  ) {}

  down(event: PointerEvent, card: string, place: number): void {
    if (event.button !== 0 || !this.laying.open) return;
    this.dragged = false;
    this.from = { x: event.clientX, y: event.clientY, card, place };
    (event.currentTarget as Element).setPointerCapture?.(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.from) return;
    [this.x, this.y] = [event.clientX, event.clientY];
    if (!this.card && Math.hypot(this.x - this.from.x, this.y - this.from.y) < FAR) return;
    this.dragged = true;
    this.card = this.from.card;
    this.laying.take(this.from.card, this.from.place);
    this.laying.over = this.under()?.key ?? null;
  }

  up(): void {
    const [card, under] = [this.card, this.card && this.under()];
    this.stop();
    if (!card) return;
    if (under) this.laying.lay(card, under.jump);
    else this.laying.letGo();
  }

  /** Let go without laying: the pointer was lost, or PULL was called. */
  stop(): void {
    this.from = this.card = null;
    this.laying.over = null;
  }

  /** Tell whether the click that follows belongs to a drag. */
  tookClick(): boolean {
    const took = this.dragged;
    this.dragged = false;
    return took;
  }

  private under(): { key: string; jump: Jump } | null {
    const zone = document.elementFromPoint(this.x, this.y)?.closest<HTMLElement>('[data-jump]');
    const jump = this.jumps().find((one) => jumpKey(one) === zone?.dataset.jump);
    return jump ? { key: jumpKey(jump), jump } : null;
  }
}
