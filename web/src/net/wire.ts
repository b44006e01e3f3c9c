/** Types of the protocol, generated from the server's. Views, actions and events belong to each game's plugin. */
import type { Offers } from '$lib/actions';
import type { Painting, Tagged } from '$lib/contract';
import type * as Wire from '$types/wire';

export type Level = 'rookie' | 'regular' | 'sharp' | 'star' | 'champion';
export type { BotSeen, ClockSeen, HouseRules, ChatMessage, Seated, UndoSeen, You } from '$types/wire';

export interface TableSeen extends Omit<Wire.TableSeen, 'options'> {
  options: Record<string, unknown>;
}

/** The same when it has changed: options that have been told and can't change any more are left out. */
export type TableNews = Omit<TableSeen, 'options'> & Partial<Pick<TableSeen, 'options'>>;

/** A table as it is seen by somebody who only looks in. */
export interface TableDetails extends TableSeen, Pick<Wire.TableDetails, 'you' | 'outcome' | 'device'> {
  actors: (number | string)[];
}

/** A position as it is sent. */
export interface SentPosition extends Omit<Wire.Position, 'view' | 'actors' | 'painting'> {
  view: unknown;
  painting?: Painting;
  actors: (number | string)[];
}

/** A position as a table hears it. */
export interface Position extends Omit<SentPosition, 'legal'> {
  legal: Offers[];
}

export interface Step extends Omit<Wire.Step, 'events'> {
  events: Tagged[];
}

/** What becomes of a move that is tried in a worked example. */
export interface Tried extends Omit<Wire.Tried, 'events' | 'position' | 'next'> {
  events: Tagged[];
  position: SentPosition | null;
  next: Tagged | null;
}
export type ExampleCard = Omit<Wire.ExampleCard, 'begins'> & { begins: Tried };
export type Examples = Omit<Wire.Examples, 'examples'> & { examples: ExampleCard[] };

type Told<Frame> = Omit<Frame, 'position' | 'actions' | 'table' | 'missed' | 'events' | 'change' | 'check'>;
export type Welcome = Told<Wire.Welcome> & { position: Position | null; table: TableSeen; missed: Step[] | null };
export type Update = Omit<Told<Wire.Update>, 'at'> & {
  position: Position;
  events: Tagged[];
  due?: number | null; // when to tell what all devices tell together, by performance.now()
};

/** An update as it is sent: with the position, or with what has changed in the one before. */
export interface Sent extends Omit<Update, 'position' | 'due'>, Pick<Wire.Update, 'change' | 'check' | 'at'> {
  position: SentPosition | null;
}

/** A welcome as it is sent. */
export interface SentWelcome extends Omit<Welcome, 'position'>, Pick<Wire.Welcome, 'actions'> {
  position: SentPosition | null;
}

export interface Refusal extends Pick<Wire.Error, 'code' | 'sentence'> {
  detail?: { rule?: string } | null;
}

export type Refused = Pick<Wire.Error, 'type' | 'id'> & Refusal;
export type Why = Omit<Wire.WhyNot, 'detail'> & Pick<Refusal, 'detail'>;
export type Previewed = Told<Wire.Previewed> & { events: Tagged[] };
export type Hint = Wire.Hint;
export type HintMove = Wire.MoveText;
export type AnalysisSeen = Wire.AnalysisSeen;
export type Answer = Wire.Ack | Refused | Previewed | Hint | Why | Wire.Pong;

export type News =
  | Welcome
  | Update
  | (Told<Wire.TableChanged> & { table: TableNews })
  | Wire.ClockChanged
  | Wire.Chat
  | Wire.Nudged
  | Wire.Bye;
export type Frame = Exclude<News, Update | Welcome> | Sent | SentWelcome | Answer;

/** What a client asks; the id is added when it is sent. */
export type Asking =
  | { type: 'act' | 'preview' | 'why-not'; action: Tagged }
  | { type: 'say'; text: string; to: string | null }
  | { type: 'phrase'; phrase: string }
  | { type: 'ready'; ready: boolean }
  | { type: 'pause'; paused: boolean }
  | { type: 'answer-undo'; agrees: boolean }
  | { type: 'seed'; seed: string }
  | { type: 'undo' | 'withdraw-undo' | 'activity' | 'hurry' | 'hint' | 'resync' | 'report-peek' }
  | { type: 'nudge'; person: string }
  | { type: 'vote'; person: string; bot: boolean }
  | { type: 'lesson'; lesson: number }
  | { type: 'show-move' | 'retry' }
  | { type: 'ping' };

/** Where questions go and answers come from: a socket, or a recording. */
export interface Post {
  readonly state: 'connecting' | 'open' | 'lost' | 'refused';
  readonly restarting: boolean; // the server said it goes down for a moment
  ask(message: Asking): Promise<Answer>;
  restart(): void; // come back as who one is by now
}
