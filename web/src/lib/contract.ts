/** The interface between the shell and a game's UI plugin: views in, actions out, no rules. */
import type { Component } from 'svelte';

export type Seat = number;
export type Params = Record<string, string | number>;
export type Tagged = { type: string };

export interface Caution {
  rule: string;
  key: string;
  sentence: string;
}

export interface Outcome {
  winners: Seat[];
  scores: number[];
}

export interface Preview<E> {
  events: E[];
  sentences: string[];
  points: number[];
  chance_follows: boolean;
  undo: 'free' | 'consent' | 'never';
}

export interface WhyNot {
  allowed: boolean;
  sentence: string;
  rule: string | null;
}

export interface Clock {
  kind: 'phase' | 'decision' | 'grace' | 'pause';
  left: number; // seconds, counting down while it runs
  of: number;
  running: boolean;
  seats: Seat[];
}

/** A position as a terminal shows it, for the plain table UI. */
export interface Painting {
  lines: [text: string, style: string][][];
  menu: { title: string; targets: string[]; places: number[] }[]; // the places are those of `legal`
  scores: number[]; // by seat, as far as I know them
}

export interface Settings {
  language: 'en' | 'nl';
  sound: boolean;
  motion: boolean; // false with the reader's wish for less motion
  theme: 'light' | 'dark';
  confirm: boolean; // ask before every move
}

export interface Talk {
  id: string;
  person: string;
  seat: Seat | null;
  name: string;
  text: string;
  audience: 'all' | 'spectators' | 'whisper';
  to: string | null;
  phrase?: string; // a quick phrase by its key; the text is in the reader's language
}

/** A sentence of the log. */
export interface LogEntry {
  seq: number;
  place: number; // within its step
  seat: Seat | null;
  text: string;
  undone: boolean;
  event?: Tagged; // what it renders; a note that a bot chose for the actor renders none
}

/** A table as a game's components see it. All of it is reactive. */
export interface TableModel<V = unknown, A extends Tagged = Tagged, E = unknown> {
  readonly game: string;
  readonly view: V; // what lies on the table, after the story told so far
  readonly painting?: Painting | null; // of the same position, where it was asked for
  readonly seats: number;
  readonly me: Seat | null; // null: watching
  readonly reader: Seat | null; // who is called “you”: nobody where several people look at once
  readonly asked: boolean; // something is asked of me now, and the story has been told
  readonly actors: Seat[]; // who is asked
  readonly legal: A[]; // my legal actions; none while a story is told or a move is on its way (act is possible all the same)
  readonly outcome: Outcome | null;
  readonly decided: string; // what decided the game, once it is over
  readonly question: string; // the prompt, in the reader's language
  readonly clock: Clock | null;
  readonly paused: boolean;
  readonly waiting: number; // steps heard that are still to be told
  readonly newest: V; // the newest view heard, ahead of the story
  readonly talk: Talk[];
  readonly log: LogEntry[]; // what has been told so far
  readonly settings: Settings;
  readonly party: boolean; // people play on their phones, before a big screen
  readonly onScreen: boolean; // this is that screen: it has no controls
  readonly controller: boolean; // this is a phone before it, which shows what is public

  name(seat: Seat): string;
  isBot(seat: Seat): boolean;
  bot(seat: Seat): string | null; // the level of the bot that has a seat of its own
  person(seat: Seat): string | null; // to whisper to
  offers<K extends A['type']>(type: K): Extract<A, { type: K }>[];
  cautions(action: A): Caution[];

  /** The action being considered: hovered, focused or picked. The shell asks for its preview and shows it. */
  readonly intent: A | null;
  readonly foreseen: Preview<E> | null; // of the intent, once it is known
  consider(action: A | null): void;
  /** Pick an action: done at once with a mouse or a key; with touch or `confirm` it waits for the confirm button. */
  choose(action: A, pointer?: string): void;
  cancel(): void; // let go of what waits for the confirm button
  act(action: A): Promise<boolean>; // true once it is kept
  preview(action: A): Promise<Preview<E> | null>;
  /** Ask why something can't be done; the shell says it and offers the rule. */
  whyNot(action: A): Promise<WhyNot>;
  openRules(rule?: string): void;
  say(text: string, to?: string): Promise<boolean>;
  skip(): void; // take the story to its end
  sound(name: string): void; // one of the table UI's own, if sound is on

  /** A text of the game's catalogue, or else of the shell's. */
  t(key: string, params?: Params): string;
}

/** The stage on which a step's events are told. Everything on it can be skipped, and does nothing without motion. */
export interface Scene<V = unknown> {
  readonly before: V;
  readonly after: V;
  readonly moving: boolean; // false: nothing is animated
  readonly since: number; // when the step was heard, on the clock of `performance.now()`
  readonly due?: number | null; // when all devices of a party tell what they tell together, on the same clock
  at(place: string): Element | null; // the element marked data-at="place"
  show(): void; // put the new view on the table now (it is put there at the end in any case)
  fly(symbol: string, from: Element | null, to: Element | null, size?: number): Promise<void>;
  rise(text: string, from: Element | null, to?: Element | null): Promise<void>; // points that rise, and run to a score
  pulse(element: Element | null): Promise<void>;
  animate(element: Element | null, frames: Keyframe[], milliseconds: number): Promise<void>;
  wait(milliseconds: number, unhurried?: boolean): Promise<void>; // unhurried: not faster though more waits to be told
  hold(milliseconds: number): Promise<void>; // time to read: unhurried; without motion a short still; a tap ends it
  sound(name: string): void;
}

/** Plays synthesised tones; silent while sound is off. */
export interface Synth {
  readonly context: AudioContext;
  tone(frequency: number, seconds: number, options?: { type?: OscillatorType; gain?: number; at?: number }): void;
  noise(seconds: number, options?: { gain?: number; at?: number; highpass?: number; lowpass?: number }): void;
}

export interface TableUiProps<V = any, A extends Tagged = any, E = any, M = any> {
  table: TableModel<V, A, E>;
  model: M;
}
export type TableUiPart<V = any, A extends Tagged = any, E = any, M = any> = Component<TableUiProps<V, A, E, M>>;
export type SeatPart = Component<TableUiProps & { seat: Seat }>;

export interface Panel {
  key: string; // its name is the text `web.panel.<key>`
  icon: string; // a symbol of the shell's sheet
  part: TableUiPart;
  count?: (table: TableModel<any, any, any>, model: any) => number; // what waits there for an answer
}

/** A ready-made value of an option that is a long text: a board, a crate of songs. */
export interface Preset {
  key: string;
  value: string | null; // null: the game's own default
  name: string;
  line: string;
  note?: string;
  symbol?: string; // a drawing of the game's sheet, twice as wide as high
}

/** A game's table UI, the default export of `web/index.ts` in its folder. */
export interface TableUi<V = any, A extends Tagged = any, E = any, M = any> {
  key: string;
  sheet: string; // the game's symbols, as raw SVG
  model(table: TableModel<V, A, E>): M; // what the parts share: what is picked up, and so on
  subtitle(table: TableModel<V, A, E>): string; // under the title: the board, the round
  Backdrop: TableUiPart<V, A, E, M>;
  SeatCard: SeatPart; // one player in the column or strip
  Mark: Component<{ seat: Seat }>; // a seat's sign, for log lines, chat and the lobby
  Piece?: Component<{ shown: Record<string, unknown> }>; // one thing of the box, as the data of a rules page names it
  Board: TableUiPart<V, A, E, M>;
  Hand: TableUiPart<V, A, E, M>;
  Inspector: TableUiPart<V, A, E, M>; // what the intent would do; the shell adds the confirm button
  seatsOnBoard?: boolean; // the board shows the players itself: no strip of seats on a small screen
  seatsAbove?(table: TableModel<V, A, E>, model: M): boolean; // a board so wide that the players sit above it, not beside it
  panels: Panel[]; // right column on a desktop, sheets on a phone
  Ending: TableUiPart<V, A, E, M>; // the poster: who won, where every point came from
  waitsFor?(table: TableModel<V, A, E>): Seat[]; // of those who may act, without those who are ready
  open?(view: V): boolean; // nothing is hidden from anybody, so people who share a device need no curtain
  prompt?(table: TableModel<V, A, E>, model: M): string | null; // in the question's place while a story is told
  next?(table: TableModel<V, A, E>, model: M): string | null; // where the keys go on with what is asked: a `data-at`
  light?(events: E[], model: M): boolean; // highlight on the board what some events were about; [] ends it
  places?(event: E, model: M): string[]; // where an event took place: names as in `data-at`
  turnTo?(event: E, model: M): void; // show the part of the board where an event took place
  follows?(event: E, later: E): boolean; // whether what came later in a step explains an event; without it, all of it
  targets?(action: A, model: M, seat: Seat): string[]; // the places that a seat's action is about
  /** Tell one event of a step. A tap on the board skips, except inside an element marked data-own-pace. */
  tell?(event: E, scene: Scene<V>, table: TableModel<V, A, E>, model: M): Promise<void>;
  together?(event: E): boolean; // at a party all devices tell it at the same moment
  SeatNote?: SeatPart; // under a player's name on a big screen: what they are at, or have
  Show?: TableUiPart<V, A, E, M>; // beside the board of a big screen: what is worth watching
  Overlay?: TableUiPart<V, A, E, M>; // over all of a big screen, while there is something to show
  awaits?(event: E): boolean; // its step is told only once somebody looks at the page: nobody misses it by looking away
  scores?(view: V): number[]; // points by seat, for the chart after the game
  presets?(option: string, language: Settings['language']): Promise<Preset[]>;
  sounds: Record<string, (synth: Synth) => void>;
}
