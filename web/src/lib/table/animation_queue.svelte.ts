/** Animation queue: a step's position is shown when its animation is over. */
import type { Tagged } from '../contract';
import { nextTask } from './tasks';
import { Stage, type Theatre } from './scene';

export interface Chapter<P> {
  events: Tagged[];
  position: P;
  due?: number | null; // when all devices of a party tell what they tell together
  onEvent?: (place: number) => void; // when this event has been told
}

interface Heard<P> extends Chapter<P> {
  since: number; // when it was heard, or was to be told after something that lingered
  heard: number;
}

/** What plays the animations: a table UI that knows its events, and a scene. */
export interface Teller<V> {
  tell: (event: Tagged, scene: Stage<V>) => Promise<void>;
  awaits?: (event: Tagged) => boolean; // whether it is worth waiting for somebody who looks elsewhere
  together?: (event: Tagged) => boolean; // whether all devices of a party tell it at the same moment
  theatre: () => Omit<Theatre<V>, 'put' | 'since' | 'due' | 'speed' | 'watched' | 'breathe' | 'linger'>;
}

const AT_EASE = 750; // ms a step may wait before the story makes haste
const HASTE = 200; // ms more, and it goes by so much faster again
const LONGEST_LEAD = 3000; // ms that a step may be ahead of its moment
const BREATH = 16; // ms of telling what does not move, before the browser may draw and hear again
const PATIENCE = 12_000; // ms without a sign of life: no event may hold a table up, whatever happens to its animations

export class Story<P extends { view: unknown }> {
  telling = $state(false);
  shown = $state.raw<P | null>(null);
  teller: Teller<unknown> | null = null;
  left = $state(0); // chapters still to be told, the present one not counted
  private readonly waiting: Heard<P>[] = [];
  private stage: Stage<unknown> | null = null;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private hurried = 0; // chapters to be told without motion
  private until: ((position: P) => boolean) | null = null; // all are, up to the position that this is waiting for

  /** Put a position on the table at once and forget what was still to be told. */
  set(position: P | null): void {
    this.waiting.length = 0;
    this.stage?.skip();
    this.shown = position;
  }

  add(chapter: Chapter<P>): void {
    const heard = performance.now();
    const due = Math.min(chapter.due ?? Infinity, heard + LONGEST_LEAD); // a device that has slept may not know the hour
    this.waiting.push({ ...chapter, due: chapter.due == null ? null : due, since: heard, heard });
    this.left = this.waiting.length - 1;
    if (!this.telling) void this.run();
  }

  /** Take what is being told, and all that waits, to its end. */
  skip(): void {
    this.hurried = Math.max(0, this.waiting.length - 1);
    this.stage?.skip();
  }

  /** Tell without motion what is heard until there is such a position. */
  rush(until: (position: P) => boolean): void {
    this.until = until;
    this.skip();
  }

  private async run(): Promise<void> {
    this.telling = true;
    for (let chapter = this.waiting[0]; chapter; chapter = this.waiting[0]) {
      await this.play(chapter);
      if (this.waiting[0] === chapter) {
        this.shown = chapter.position;
        this.waiting.shift();
        if (this.until?.(chapter.position)) this.until = null;
      }
      this.left = Math.max(0, this.waiting.length - 1);
    }
    this.telling = false;
  }

  private async play(chapter: Heard<P>): Promise<void> {
    if (!this.teller || !this.shown) return chapter.events.forEach((_, place) => chapter.onEvent?.(place));
    if (document.hidden && chapter.events.some((event) => this.teller?.awaits?.(event))) {
      await seen();
      this.waiting.forEach((one) => (one.since = performance.now())); // it was not they who were late
    }
    if (this.waiting[0] !== chapter) return;
    const still = this.hurried > 0 || this.until !== null;
    this.hurried = Math.max(0, this.hurried - 1);
    const watched = !still && !document.hidden;
    const { waiting } = this;
    const theatre = this.teller.theatre();
    const stage = new Stage<unknown>(this.shown.view, chapter.position.view, {
      ...theatre,
      moving: theatre.moving && watched,
      watched,
      since: chapter.heard,
      due: chapter.due ?? null,
      get speed() {
        return waiting.length ? pace(waiting) : 1;
      },
      linger: (milliseconds) => waiting.forEach((one) => (one.since += milliseconds)),
      breathe: () => this.breathe(stage),
      put: () => waiting[0] === chapter && (this.shown = chapter.position),
    });
    this.stage = stage;
    await this.unfold(chapter, stage, watched);
    stage.close();
    this.stage = null;
  }

  /** Tell one event after the other; what does not move is told at once, so the browser is let in between to draw it. */
  private async unfold(chapter: Heard<P>, stage: Stage<unknown>, watched: boolean): Promise<void> {
    const last = chapter.events.length - 1;
    let drawn = performance.now();
    for (const [place, event] of chapter.events.entries()) {
      if (watched && this.teller?.together?.(event)) await stage.until(ahead(chapter));
      await this.tell(event, stage);
      chapter.onEvent?.(place);
      const much = place === last || performance.now() - drawn > BREATH; // after the last comes a whole position
      if (!much || !watched || stage.skipped) continue;
      await nextTask();
      drawn = performance.now();
    }
  }

  private async tell(event: Tagged, stage: Stage<unknown>): Promise<void> {
    this.breathe(stage);
    try {
      await this.teller?.tell(event, stage);
    } catch (error) {
      console.error(error); // a story that stumbles must not stop the game
    } finally {
      clearTimeout(this.patience);
    }
  }

  private breathe(stage: Stage<unknown>): void {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => stage.skip(), PATIENCE);
  }
}

/** How long it is to the moment at which all devices tell a step; 0 where there is none, or it is over. */
function ahead({ due }: Chapter<unknown>): number {
  return due ? Math.max(0, due - performance.now()) : 0;
}

/** Wait until somebody looks at the page. */
async function seen(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}

/** How fast to tell a step: at its own pace, then ever faster; with others behind it twice as fast for each of them. */
function pace([present, next, ...more]: Heard<unknown>[]): number {
  const late = performance.now() - (next ?? present)!.since - AT_EASE;
  if (!next) return 1 + Math.max(0, late) / HASTE;
  return late > 0 ? Infinity : 2 ** (1 + more.length);
}
