/** Animation of one step: pieces fly, points rise, and a tap skips to the end. */
import type { Scene } from '../contract';
import { nextTask } from './tasks';

export interface SceneContext<V> {
  root: HTMLElement | null;
  animated: boolean;
  watched: boolean; // the page is visible and nothing is being skipped
  receivedAt: number; // when the step was received, by performance.now()
  due: number | null; // when all devices of a party animate it
  speed: number;
  put(view: V): void;
  resetWatchdog(): void; // the animation is alive
  delayQueue(milliseconds: number): void; // a deliberate pause, which does not speed up later steps
  sound(name: string): void;
}

const MAX_STILL = 1500; // ms at most for a reading pause without motion
const EASE_IN_OUT = 'cubic-bezier(.5,0,.2,1)';
const EASE_OUT = 'cubic-bezier(.2,.8,.2,1)';

export class AnimationScene<V> implements Scene<V> {
  private readonly running = new Set<() => void>();
  private readonly props = new Set<Element>();
  skipped = false;

  constructor(
    readonly before: V,
    readonly after: V,
    private readonly context: SceneContext<V>,
  ) {}

  get receivedAt(): number {
    return this.context.receivedAt;
  }

  get due(): number | null {
    return this.context.due;
  }

  get animated(): boolean {
    return this.context.animated && !this.skipped;
  }

  elementAt(place: string): Element | null {
    const found = this.context.root?.querySelectorAll(`[data-at="${CSS.escape(place)}"]`) ?? [];
    const several = found.length > 1; // testing visibility forces a layout
    return (several && [...found].find(isVisible)) || (found[0] ?? null);
  }

  showAfter(): void {
    this.context.put(this.after);
  }

  sound(name: string): void {
    this.context.sound(name);
  }

  async fly(symbol: string, from: Element | null, to: Element | null, size = 44): Promise<void> {
    if (!this.animated || !from || !to) return;
    const prop = this.prop(drawing(symbol, size), from);
    const path = [
      { translate: '0 0', scale: 1 },
      { translate: this.way(from, to), scale: 1 },
    ];
    await this.play(prop, path, 360, EASE_IN_OUT);
    this.drop(prop);
  }

  async floatPoints(text: string, from: Element | null, to: Element | null = null): Promise<void> {
    if (!this.animated || !from) return;
    const label = document.createElement('span');
    label.className = 'risen';
    label.textContent = text;
    const prop = this.prop(label, from);
    const up = { translate: '0 -36px', opacity: 1, scale: 1 };
    await this.play(prop, [{ translate: '0 0', opacity: 0, scale: 0.6 }, up], 260, EASE_OUT);
    if (to) await this.play(prop, [up, { translate: this.way(from, to), opacity: 1, scale: 0.8 }], 340, EASE_IN_OUT);
    else await this.wait(200);
    this.drop(prop);
  }

  async pulse(element: Element | null): Promise<void> {
    await this.animate(element, [{ scale: 1 }, { scale: 1.12, offset: 0.4 }, { scale: 1 }], 300);
  }

  async animate(element: Element | null, frames: Keyframe[], milliseconds: number): Promise<void> {
    if (this.animated && element) await this.play(element, frames, milliseconds, EASE_OUT);
  }

  async wait(milliseconds: number, unhurried = false): Promise<void> {
    if (!this.animated) return;
    if (unhurried) await this.pauseToRead(milliseconds);
    else await this.pass(milliseconds / this.context.speed);
  }

  async pauseToRead(milliseconds: number): Promise<void> {
    if (this.skipped || !this.context.watched) return;
    const begun = performance.now();
    await this.pass(this.context.animated ? milliseconds : Math.min(milliseconds, MAX_STILL));
    this.context.delayQueue(performance.now() - begun);
  }

  /** Wait for a common moment, also without motion; a tap ends it. */
  async until(milliseconds: number): Promise<void> {
    if (this.skipped || milliseconds <= 0) return;
    await this.pass(milliseconds);
    this.context.delayQueue(milliseconds);
  }

  /** Finish all running animations at once. */
  skip(): void {
    this.skipped = true;
    for (const finish of [...this.running]) finish();
  }

  /** Skip to the end, remove temporary elements and show the final view. */
  close(): void {
    this.skip();
    for (const prop of this.props) prop.remove();
    this.showAfter();
  }

  private async pass(milliseconds: number): Promise<void> {
    this.context.resetWatchdog();
    await new Promise<void>((resolve) => {
      const done = (): void => (clearTimeout(timer), this.running.delete(done), resolve());
      const timer = setTimeout(done, milliseconds);
      this.running.add(done);
    });
  }

  private async play(element: Element, frames: Keyframe[], milliseconds: number, easing: string): Promise<void> {
    const animation = element.animate(frames, {
      duration: milliseconds / this.context.speed,
      easing,
      fill: 'forwards',
    });
    const finish = (): void => animation.finish();
    this.running.add(finish);
    await animation.finished.catch(() => undefined);
    if (!this.skipped) await nextTask(); // the animation ends within a frame; its consequences wait for the next task
    this.running.delete(finish);
    if (!this.props.has(element)) animation.cancel();
  }

  private prop(element: Element, from: Element): Element {
    const root = this.context.root ?? document.body;
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
    const [a, b, zoom] = [middle(from), middle(to), zoomOf(this.context.root ?? document.body)];
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

/** The CSS zoom factor of an element on a big screen. */
export function zoomOf(element: Element): number {
  return (element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1;
}

function isVisible(element: Element): boolean {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}
