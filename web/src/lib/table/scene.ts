/** Animation of one step: pieces fly, points rise, and a tap skips to the end. */
import type { Scene } from '../contract';
import { nextTask } from './tasks';

export interface Theatre<V> {
  root: HTMLElement | null;
  moving: boolean;
  watched: boolean; // somebody looks on, and nobody is in a hurry
  since: number; // when the step was heard
  due: number | null; // when all devices of a party tell it
  speed: number;
  put(view: V): void;
  breathe(): void; // the story is alive, it only takes its time
  linger(milliseconds: number): void; // so much of it on purpose
  sound(name: string): void;
}

const STILL = 1500; // ms at most that a picture is held where nothing moves
const FLY = 'cubic-bezier(.5,0,.2,1)';
const OUT = 'cubic-bezier(.2,.8,.2,1)';

export class Stage<V> implements Scene<V> {
  private readonly running = new Set<() => void>();
  private readonly props = new Set<Element>();
  skipped = false;

  constructor(
    readonly before: V,
    readonly after: V,
    private readonly theatre: Theatre<V>,
  ) {}

  get since(): number {
    return this.theatre.since;
  }

  get due(): number | null {
    return this.theatre.due;
  }

  get moving(): boolean {
    return this.theatre.moving && !this.skipped;
  }

  at(place: string): Element | null {
    const found = this.theatre.root?.querySelectorAll(`[data-at="${CSS.escape(place)}"]`) ?? [];
    const several = found.length > 1; // to see whether something is visible takes a layout
    return (several && [...found].find(isVisible)) || (found[0] ?? null);
  }

  show(): void {
    this.theatre.put(this.after);
  }

  sound(name: string): void {
    this.theatre.sound(name);
  }

  async fly(symbol: string, from: Element | null, to: Element | null, size = 44): Promise<void> {
    if (!this.moving || !from || !to) return;
    const prop = this.prop(drawing(symbol, size), from);
    const path = [
      { translate: '0 0', scale: 1 },
      { translate: this.way(from, to), scale: 1 },
    ];
    await this.play(prop, path, 360, FLY);
    this.drop(prop);
  }

  async rise(text: string, from: Element | null, to: Element | null = null): Promise<void> {
    if (!this.moving || !from) return;
    const label = document.createElement('span');
    label.className = 'risen';
    label.textContent = text;
    const prop = this.prop(label, from);
    const up = { translate: '0 -36px', opacity: 1, scale: 1 };
    await this.play(prop, [{ translate: '0 0', opacity: 0, scale: 0.6 }, up], 260, OUT);
    if (to) await this.play(prop, [up, { translate: this.way(from, to), opacity: 1, scale: 0.8 }], 340, FLY);
    else await this.wait(200);
    this.drop(prop);
  }

  async pulse(element: Element | null): Promise<void> {
    await this.animate(element, [{ scale: 1 }, { scale: 1.12, offset: 0.4 }, { scale: 1 }], 300);
  }

  async animate(element: Element | null, frames: Keyframe[], milliseconds: number): Promise<void> {
    if (this.moving && element) await this.play(element, frames, milliseconds, OUT);
  }

  async wait(milliseconds: number, unhurried = false): Promise<void> {
    if (!this.moving) return;
    if (unhurried) await this.hold(milliseconds);
    else await this.pass(milliseconds / this.theatre.speed);
  }

  async hold(milliseconds: number): Promise<void> {
    if (this.skipped || !this.theatre.watched) return;
    const begun = performance.now();
    await this.pass(this.theatre.moving ? milliseconds : Math.min(milliseconds, STILL));
    this.theatre.linger(performance.now() - begun);
  }

  /** Wait for a moment that is so far ahead, also where nothing moves; a tap ends it. */
  async until(milliseconds: number): Promise<void> {
    if (this.skipped || milliseconds <= 0) return;
    await this.pass(milliseconds);
    this.theatre.linger(milliseconds);
  }

  /** Take everything to its end at once. */
  skip(): void {
    this.skipped = true;
    for (const finish of [...this.running]) finish();
  }

  /** Leave nothing behind. */
  close(): void {
    this.skip();
    for (const prop of this.props) prop.remove();
    this.show();
  }

  private async pass(milliseconds: number): Promise<void> {
    this.theatre.breathe();
    await new Promise<void>((resolve) => {
      const done = (): void => (clearTimeout(timer), this.running.delete(done), resolve());
      const timer = setTimeout(done, milliseconds);
      this.running.add(done);
    });
  }

  private async play(element: Element, frames: Keyframe[], milliseconds: number, easing: string): Promise<void> {
    const animation = element.animate(frames, {
      duration: milliseconds / this.theatre.speed,
      easing,
      fill: 'forwards',
    });
    const finish = (): void => animation.finish();
    this.running.add(finish);
    await animation.finished.catch(() => undefined);
    if (!this.skipped) await nextTask(); // it ends in the middle of a frame, which is long enough without what comes of it
    this.running.delete(finish);
    if (!this.props.has(element)) animation.cancel();
  }

  private prop(element: Element, from: Element): Element {
    const root = this.theatre.root ?? document.body;
    const [centre, zoom] = [middle(from), zoomOf(root)];
    const holder = document.createElement('div');
    holder.className = 'prop';
    holder.style.left = `${centre.x / zoom}px`;
    holder.style.top = `${centre.y / zoom}px`;
    holder.append(element);
    root.append(holder);
    this.props.add(holder);
    return holder;
  }

  private way(from: Element, to: Element): string {
    const [a, b, zoom] = [middle(from), middle(to), zoomOf(this.theatre.root ?? document.body)];
    return `${(b.x - a.x) / zoom}px ${(b.y - a.y) / zoom}px`;
  }

  private drop(prop: Element): void {
    this.props.delete(prop);
    prop.remove();
  }
}

function drawing(symbol: string, size: number): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', String(size));
  svg.setAttribute('height', String(size));
  for (const layer of symbol.split(' ')) {
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', `#${layer}`);
    svg.append(use);
  }
  return svg;
}

function middle(element: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** How much larger than usual a big screen draws an element. */
export function zoomOf(element: Element): number {
  return (element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1;
}

function isVisible(element: Element): boolean {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}
