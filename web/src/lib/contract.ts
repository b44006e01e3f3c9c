/** The interface between the shell and a game's table UI: views in, actions out, no rules. */
import type { Component, Snippet } from 'svelte';

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
  menu: { title: string; targets: string[]; indices: number[] }[]; // indexes into `legal`
  scores: number[]; // by seat, as far as this viewer knows them
}

export interface Settings {
  language: 'en' | 'nl';
  sound: boolean;
  motion: boolean; // false if the reader prefers reduced motion
  theme: 'light' | 'dark';
  confirm: boolean; // ask before every move
}

export interface ChatEntry {
  id: string;
  person: string;
  seat: Seat | null;
  name: string;
  text: string;
  audience: 'all' | 'spectators' | 'whisper';
  to: string | null;
  phrase?: string; // a quick phrase by its key; the text is in the reader's language
}

/** An entry of the log. */
export interface LogEntry {
  seq: number;
  index: number; // index within its step
  seat: Seat | null;
  text: string;
  undone: boolean;
  event?: Tagged; // the event it describes; none for the note that a bot chose for the actor
}

/** A table as a game's components see it. All fields are reactive. */
export interface TableModel<V = unknown, A extends Tagged = Tagged, E = unknown> {
  readonly game: string;
  readonly view: V; // the position after the events animated so far
  readonly painting?: Painting | null; // of the same position, if requested
  readonly seats: number;
  readonly me: Seat | null; // null for a spectator
  readonly reader: Seat | null; // the seat called “you”; null where several people read one screen
  readonly canAct: boolean; // it is my decision, and all animations are over
  readonly actors: Seat[]; // the seats that may act
  readonly legal: A[]; // my legal actions; none during animations or while a move is pending (act works all the same)
  readonly outcome: Outcome | null;
  readonly decidedBy: string; // once the game is over: what decided it
  readonly prompt: string; // in the reader's language
  readonly clock: Clock | null;
  readonly paused: boolean;
  readonly queuedSteps: number; // steps received and not yet animated
  readonly latestView: V; // the newest view received, perhaps ahead of the animations
  readonly chat: ChatEntry[];
  readonly log: LogEntry[]; // entries of the events animated so far
  readonly settings: Settings;
  readonly party: boolean; // people play on their phones, in front of a big screen
  readonly onScreen: boolean; // this is that screen: it has no controls
  readonly controller: boolean; // this is a phone in front of it

  name(seat: Seat): string;
  isBot(seat: Seat): boolean;
  bot(seat: Seat): string | null; // the level of a bot that has a seat of its own
  person(seat: Seat): string | null; // the person's id, to whisper to
  offers<K extends A['type']>(type: K): Extract<A, { type: K }>[];
  cautions(action: A): Caution[];

  /** The action being considered: hovered, focused or picked. The shell requests its preview and shows it. */
  readonly intent: A | null;
  readonly intentPreview: Preview<E> | null; // of the intent, once the server has answered
  consider(action: A | null): void;
  /** Pick an action: done at once with a mouse or a key; with touch or `confirm` it waits for the confirm button. */
  choose(action: A, pointer?: string): void;
  cancel(): void; // drop the action that waits for the confirm button
  act(action: A): Promise<boolean>; // true once the server has accepted it
  preview(action: A): Promise<Preview<E> | null>;
  /** Ask why an action is illegal; the shell shows the answer and links the rule. */
  whyNot(action: A): Promise<WhyNot>;
  openRules(rule?: string): void;
  sendChat(text: string, to?: string): Promise<boolean>;
  sendPhrase(phrase: string, to?: string): Promise<boolean>; // one of the game's, by its key
  showNotice(sentence: string): void; // above the hand, until the next press or another position
  skipAnimations(): void; // skip to the end of all animations
  sound(name: string): void; // one of the table UI's own, if sound is on

  /** A text of the game's catalogue, or else of the shell's. */
  t(key: string, params?: Params): string;
}

/** What animations of a step's events use. Every method returns at once if animations are skipped or motion is off. */
export interface Scene<V = unknown> {
  readonly before: V;
  readonly after: V;
  readonly animated: boolean; // false: nothing is animated
  readonly receivedAt: number; // when the step was received, by `performance.now()`
  readonly due?: number | null; // when all devices of a party animate the synchronised events, by `performance.now()`
  elementAt(place: string): Element | null; // the element marked data-at="place"
  showAfter(): void; // show the new view now (it is shown at the end in any case)
  fly(symbol: string, from: Element | null, to: Element | null, size?: number): Promise<void>;
  floatPoints(text: string, from: Element | null, to?: Element | null): Promise<void>; // points that rise and fly to a score
  pulse(element: Element | null): Promise<void>;
  animate(element: Element | null, frames: Keyframe[], milliseconds: number): Promise<void>;
  wait(milliseconds: number, unhurried?: boolean): Promise<void>; // unhurried: never sped up
  pauseToRead(milliseconds: number): Promise<void>; // never sped up; shortened without motion; a tap ends it
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
export type TableUiComponent<V = any, A extends Tagged = any, E = any, M = any> = Component<TableUiProps<V, A, E, M>>;
/** `notice`: shown in the band above the players as soon as that is free. */
export type TvScene<V = any, A extends Tagged = any, E = any, M = any> = Component<
  TableUiProps<V, A, E, M> & { notice?: Snippet }
>;
export type SeatComponent = Component<TableUiProps & { seat: Seat }>;

export interface Panel {
  key: string; // its name is the text `web.panel.<key>`
  icon: string; // a symbol of the shell's sheet
  part: TableUiComponent;
  count?: (table: TableModel<any, any, any>, model: any) => number; // badge: open requests in the panel
}

/** A ready-made value of a text option, for example a board or a crate of songs. */
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
  model(table: TableModel<V, A, E>): M; // the state that the components share, for example the selection
  subtitle(table: TableModel<V, A, E>): string; // under the title: the board, the round
  Backdrop: TableUiComponent<V, A, E, M>;
  SeatCard: SeatComponent; // one player in the column or strip
  Mark: Component<{ seat: Seat }>; // a seat's symbol, for log entries, chat and the lobby
  Piece?: Component<{ shown: Record<string, unknown> }>; // a game piece, described by the data of a rules page
  Board: TableUiComponent<V, A, E, M>;
  Hand: TableUiComponent<V, A, E, M>;
  Inspector: TableUiComponent<V, A, E, M>; // the consequences of the intent; the shell adds the confirm button
  handForAll?: boolean; // the hand shows something to spectators, too
  seatsOnBoard?: boolean; // the board shows the players: no strip of seats on a small screen
  seatsAbove?(table: TableModel<V, A, E>, model: M): boolean; // the board is so wide that the seats go above it
  panels: Panel[]; // right column on a desktop, sheets on a phone
  Ending: TableUiComponent<V, A, E, M>; // the result: who won, and where all points came from
  awaitedSeats?(table: TableModel<V, A, E>): Seat[]; // the seats the game waits for: those that may act and have not yet done so
  isOpenInformation?(view: V): boolean; // nothing is hidden from any player, so a shared device needs no curtain
  prompt?(table: TableModel<V, A, E>, model: M): string | null; // replaces the prompt during animations
  handLine?(table: TableModel<V, A, E>, model: M): string; // the line above the hand: what is selected, and what to press next
  phase?(view: V): string; // a first-time tip ends with the phase it belongs to
  isUnhurried?(view: V): boolean; // although a clock runs, nothing has to be done in time
  focusTarget?(table: TableModel<V, A, E>, model: M): string | null; // the `data-at` that keyboard focus goes to for the next decision
  highlight?(events: E[], model: M): boolean; // highlight events on the board; [] ends it; returns whether anything is highlighted
  places?(event: E, model: M): string[]; // where an event took place: values of `data-at`
  reveal?(event: E, model: M): void; // show the part of the board where an event took place
  explains?(event: E, later: E): boolean; // whether a later event of the step belongs to the explanation of an event; default: all do
  targets?(action: A, model: M, seat: Seat): string[]; // the places an action is about
  isReplaceable?(action: A, table: TableModel<V, A, E>): boolean; // another action may still replace it, so it needs no undo
  /** Animate one event of a step. A tap on the board skips it, except inside an element marked data-own-pace. */
  animate?(event: E, scene: Scene<V>, table: TableModel<V, A, E>, model: M): Promise<void>;
  isSynchronised?(event: E): boolean; // at a party all devices animate it at the same moment
  SeatNote?: SeatComponent; // a player's status, under the name on a big screen
  /** The headline of a big screen: what the people the game waits for have to do. */
  tvPrompt?(table: TableModel<V, A, E>, model: M, people: Seat[]): string | null;
  tvCaption?(table: TableModel<V, A, E>, model: M): string | null; // on a big screen, in the first round: how this phase works
  tvClock?(table: TableModel<V, A, E>): string | null; // on a big screen: what the clock of a phase counts down to
  tvPoints?(table: TableModel<V, A, E>, model: M): number[]; // on a big screen: points so far, while an animation adds them up
  /** A scene that fills a big screen above the players: it replaces header, board and last move. */
  tvScene?(table: TableModel<V, A, E>, model: M): TvScene<V, A, E, M> | null;
  TvHeader?: TableUiComponent<V, A, E, M>; // in the first row of a big screen, instead of the subtitle
  TvLastMove?: TableUiComponent<V, A, E, M>; // the last move on a big screen, instead of its sentences from the log
  TvPanel?: TableUiComponent<V, A, E, M>; // beside the board on a big screen
  TvStory?: TableUiComponent<V, A, E, M>; // beside the podium on a big screen: what the game was decided by; of `.tv-box`
  storyLine?(table: TableModel<V, A, E>): string; // the game in a few words, above it; default: the subtitle
  TvOverlay?: TableUiComponent<V, A, E, M>; // covers the whole big screen while it has content
  waitsForViewer?(event: E): boolean; // its step is animated only once the page is visible
  scores?(view: V): number[]; // points by seat, for the chart after the game
  presets?(option: string, language: Settings['language']): Promise<Preset[]>;
  sounds: Record<string, (synth: Synth) => void>;
}
