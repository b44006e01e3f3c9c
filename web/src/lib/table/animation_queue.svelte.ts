/** Animation queue: a step's position is shown when its animation is over. */
import type { Tagged } from '../contract';
import { nextTask } from './tasks';
import { AnimationScene, type SceneContext } from './scene';

export interface QueuedStep<P> {
  events: Tagged[];
  position: P;
  due?: number | null; // when all devices of a party animate the synchronised events
  onEvent?: (index: number) => void; // when this event's animation is over
}

interface TimedStep<P> extends QueuedStep<P> {
  scheduledAt: number; // when it was received, later if a step before it paused on purpose
  receivedAt: number;
}

/** What plays the animations: a table UI that knows its events, and a scene. */
export interface Animator<V> {
  animate: (event: Tagged, scene: AnimationScene<V>) => Promise<void>;
  waitsForViewer?: (event: Tagged) => boolean; // whether to wait until the page is visible
  isSynchronised?: (event: Tagged) => boolean; // whether all devices of a party animate it at the same moment
  sceneContext: () => Omit<
    SceneContext<V>,
    'put' | 'receivedAt' | 'due' | 'speed' | 'watched' | 'resetWatchdog' | 'delayQueue'
  >;
}

const TOLERATED_DELAY = 750; // ms a step may wait before animations speed up
const DELAY_PER_SPEEDUP = 200; // ms of further delay that add 1 to the speed
const MAX_LEAD = 3000; // ms that a step may wait for its due time
const YIELD_INTERVAL = 16; // ms of work without motion before control returns to the browser
const WATCHDOG_TIMEOUT = 12_000; // ms after which a stuck animation is skipped

export class AnimationQueue<P extends { view: unknown }> {
  animating = $state(false);
  shown = $state.raw<P | null>(null);
  animator: Animator<unknown> | null = null;
  queued = $state(0); // steps behind the one being animated
  private readonly steps: TimedStep<P>[] = [];
  private scene: AnimationScene<unknown> | null = null;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private skipping = 0; // steps to be shown without motion
  private skipUntil: ((position: P) => boolean) | null = null; // all steps are, until a position fulfils this

  /** Show a position at once and drop the queue. */
  set(position: P | null): void {
    this.steps.length = 0;
    this.scene?.skip();
    this.shown = position;
  }

  add(step: QueuedStep<P>): void {
    const receivedAt = performance.now();
    const due = Math.min(step.due ?? Infinity, receivedAt + MAX_LEAD); // after sleep a device's clock estimate may be wrong
    this.steps.push({ ...step, due: step.due == null ? null : due, scheduledAt: receivedAt, receivedAt });
    this.queued = this.steps.length - 1;
    if (!this.animating) void this.run();
  }

  /** Finish the running animation and show all queued steps without motion. */
  skip(): void {
    this.skipping = Math.max(0, this.steps.length - 1);
    this.scene?.skip();
  }

  /** Show steps without motion until a position fulfils the condition. */
  skipTo(until: (position: P) => boolean): void {
    this.skipUntil = until;
    this.skip();
  }

  private async run(): Promise<void> {
    this.animating = true;
    for (let step = this.steps[0]; step; step = this.steps[0]) {
      await this.play(step);
      if (this.steps[0] === step) {
        this.shown = step.position;
        this.steps.shift();
        if (this.skipUntil?.(step.position)) this.skipUntil = null;
      }
      this.queued = Math.max(0, this.steps.length - 1);
    }
    this.animating = false;
  }

  private async play(step: TimedStep<P>): Promise<void> {
    if (!this.animator || !this.shown) return step.events.forEach((_, index) => step.onEvent?.(index));
    if (document.hidden && step.events.some((event) => this.animator?.waitsForViewer?.(event))) {
      await pageVisible();
      this.steps.forEach((one) => (one.scheduledAt = performance.now())); // waiting for the viewer is no delay
    }
    if (this.steps[0] !== step) return;
    const still = this.skipping > 0 || this.skipUntil !== null;
    this.skipping = Math.max(0, this.skipping - 1);
    const watched = !still && !document.hidden;
    const { steps } = this;
    const context = this.animator.sceneContext();
    const scene = new AnimationScene<unknown>(this.shown.view, step.position.view, {
      ...context,
      animated: context.animated && watched,
      watched,
      receivedAt: step.receivedAt,
      due: step.due ?? null,
      get speed() {
        return steps.length ? speedOf(steps) : 1;
      },
      delayQueue: (milliseconds) => steps.forEach((one) => (one.scheduledAt += milliseconds)),
      resetWatchdog: () => this.resetWatchdog(scene),
      put: () => steps[0] === step && (this.shown = step.position),
    });
    this.scene = scene;
    await this.animateEvents(step, scene, watched);
    scene.close();
    this.scene = null;
  }

  /** Animate events one after another; between events without motion, yield to the browser so that it can paint. */
  private async animateEvents(step: TimedStep<P>, scene: AnimationScene<unknown>, watched: boolean): Promise<void> {
    const last = step.events.length - 1;
    let drawn = performance.now();
    for (const [index, event] of step.events.entries()) {
      if (watched && this.animator?.isSynchronised?.(event)) await scene.until(timeUntilDue(step));
      await this.animateEvent(event, scene);
      step.onEvent?.(index);
      const much = index === last || performance.now() - drawn > YIELD_INTERVAL; // a whole position follows the last event
      if (!much || !watched || scene.skipped) continue;
      await nextTask();
      drawn = performance.now();
    }
  }

  private async animateEvent(event: Tagged, scene: AnimationScene<unknown>): Promise<void> {
    this.resetWatchdog(scene);
    try {
      await this.animator?.animate(event, scene);
    } catch (error) {
      console.error(error); // a failing animation must not stop the game
    } finally {
      clearTimeout(this.watchdog);
    }
  }

  private resetWatchdog(scene: AnimationScene<unknown>): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => scene.skip(), WATCHDOG_TIMEOUT);
  }
}

/** Milliseconds until all devices animate a step; 0 if there is no common time or it has passed. */
function timeUntilDue({ due }: QueuedStep<unknown>): number {
  return due ? Math.max(0, due - performance.now()) : 0;
}

/** Wait until the page is visible. */
async function pageVisible(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}

/** Playback speed: 1, growing with the delay of the last step; doubled for each step queued behind. */
function speedOf([present, next, ...more]: TimedStep<unknown>[]): number {
  const late = performance.now() - (next ?? present)!.scheduledAt - TOLERATED_DELAY;
  if (!next) return 1 + Math.max(0, late) / DELAY_PER_SPEEDUP;
  return late > 0 ? Infinity : 2 ** (1 + more.length);
}
