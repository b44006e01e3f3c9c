/** A table for component tests: fed with a recorded frame, it keeps what is chosen. */
import { cleanup } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { afterEach, vi } from 'vitest';
import { keyOf, Legal, type Offers } from '$lib/actions';
import type { Outcome, Params, Preview, Seat, Settings, WhyNot } from '$lib/contract';
import { fill, type Texts } from '$lib/i18n.svelte';
import type { Action, Event, Table, View } from '../model/wire';

// What a browser has and jsdom lacks: nothing is ever resized here.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

afterEach(cleanup);
vi.setConfig({ testTimeout: 30_000 }); // a board is large, and jsdom is slow on a busy machine

interface Position {
  view: View;
  actors: Seat[];
  legal: Offers[];
  outcome: Outcome | null;
}
interface Frame {
  type: string;
  events: Event[];
  position: Position;
}

export function steps(name: string): Frame[] {
  const frames = JSON.parse(readFileSync(`web/fixtures/${name}.json`, 'utf-8')) as Frame[];
  return frames.filter((frame) => frame.type === 'update');
}

/** The first step at which the viewer is asked in a phase, as far as the test wants. */
export function asked(name: string, phase: string, fits: (position: Position) => boolean = () => true): Position {
  const found = steps(name).find(({ position }) => {
    return position.legal.length && position.view.phase === phase && fits(position);
  });
  if (!found) throw new Error(`nothing like that in ${name}`);
  return found.position;
}

const TEXTS = Object.fromEntries(
  ['en', 'nl'].map((language) => [
    language,
    JSON.parse(readFileSync(`src/jamboree/games/bebop/words/locale/${language}.json`, 'utf-8')) as Texts,
  ]),
);

export class FakeTable implements Table {
  position = $state.raw<Position>() as Position;
  intent = $state.raw<Action | null>(null);
  foreseen = $state.raw<Preview<Event> | null>(null);
  readonly chosen: { action: Action; pointer: string | undefined }[] = [];
  readonly acted: Action[] = [];
  readonly refused: Action[] = [];
  readonly previewed: Action[] = [];
  points = 3; // of every preview
  readonly game = 'bebop';
  me: Seat | null = 0;
  readonly clock = null;
  readonly paused = false;
  readonly waiting = 0;
  readonly talk = [];
  readonly question = '';
  readonly settings: Settings = { language: 'en', sound: false, motion: false, theme: 'light', confirm: false };
  private readonly usable = $derived.by(() => new Legal(this.asked ? this.position.legal : []));

  constructor(position: Position, language: Settings['language'] = 'en') {
    this.position = position;
    this.settings.language = language;
  }

  get view(): View {
    return this.position.view;
  }
  get newest(): View {
    return this.position.view;
  }
  get seats(): number {
    return this.view.seats;
  }
  get actors(): Seat[] {
    return this.position.actors;
  }
  get asked(): boolean {
    return this.me !== null && this.actors.includes(this.me);
  }
  get legal(): Action[] {
    return this.usable.all as Action[];
  }
  get outcome(): Outcome | null {
    return this.position.outcome;
  }
  offers<K extends Action['type']>(type: K): Extract<Action, { type: K }>[] {
    return this.usable.of(type) as Extract<Action, { type: K }>[];
  }
  name = (seat: Seat): string => (seat === this.me ? 'You' : ['Ada', 'Bob', 'Cleo', 'Dirk'][seat]!);
  isBot = (): boolean => false;
  person = (): null => null;
  cautions = (): [] => [];
  consider(action: Action | null): void {
    this.intent = action;
  }
  cancel(): void {
    this.intent = null;
  }
  choose(action: Action, pointer?: string): void {
    this.chosen.push({ action, pointer });
  }
  async act(action: Action): Promise<boolean> {
    this.acted.push(action);
    return true;
  }
  async preview(action: Action): Promise<Preview<Event>> {
    this.previewed.push(action);
    return {
      events: [],
      sentences: [],
      points: Array(this.seats).fill(this.points),
      chance_follows: false,
      undo: 'free',
    };
  }
  async whyNot(action: Action): Promise<WhyNot> {
    this.refused.push(action);
    return { allowed: false, sentence: '', rule: null };
  }
  openRules = (): void => undefined;
  sound = (): void => undefined;
  skip = (): void => undefined;
  say = async (): Promise<boolean> => true;
  t(key: string, params?: Params): string {
    const text = TEXTS[this.settings.language]![key];
    if (text === undefined) throw new Error(`no text for ${key}`);
    return fill(text, params);
  }
}

export const isAmong = (action: Action, actions: Action[]): boolean =>
  actions.some((other) => keyOf(other) === keyOf(action));
