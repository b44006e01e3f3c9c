/** What goes over the wire, as far as the shell reads it. */
import type { Caution, Clock, Outcome, Preview, Seat, Tagged, Talk } from '$lib/contract';

export type Status = 'gathering' | 'seeding' | 'playing' | 'finished' | 'closed';
export type Level = 'rookie' | 'regular';

export interface Person {
  person: string;
  name: string;
  seat: Seat | null;
  here: boolean;
  ready: boolean;
  muted: boolean;
  stood_in?: boolean;
}

export interface Bot {
  seat: Seat;
  level: Level;
  name: string;
}

export interface UndoAsked {
  person: string;
  agreed: string[];
  needed: string[];
}

export interface TableSeen {
  table: string;
  game: string;
  status: Status;
  seats: number;
  options: Record<string, unknown>;
  people: Person[];
  host: string;
  reason: string;
  rematch: string;
  bots?: Bot[];
  paused?: 'no' | 'coming' | 'yes';
  seconds?: number | null;
  commitment?: string;
  undo_asked?: UndoAsked | null;
  forked_from?: { table: string; step: number } | null;
}

export interface OfferGroup {
  action: string;
  fields: string[];
  rows: unknown[][];
  cautions: Record<string, Caution[]>;
}

export interface Position {
  view: unknown;
  actors: (Seat | string)[];
  legal: OfferGroup[];
  outcome: Outcome | null;
  question?: string;
}

export interface Step {
  seq: number;
  events: Tagged[];
  sentences?: string[];
}

export interface UndoSeen {
  rule: 'free' | 'consent' | 'never';
  steps: number;
}

export type Line = Pick<Talk, 'id' | 'person' | 'text' | 'circle' | 'to'>;
export type You = { person: string | null; seat: Seat | null };

export interface Welcome {
  type: 'welcome';
  seq: number;
  you: You;
  table: TableSeen;
  position: Position | null;
  missed: Step[] | null;
  talk: Line[];
  clock?: Clock | null;
  undo?: UndoSeen | null;
}

export interface Update extends Step {
  type: 'update';
  position: Position;
  clock?: Clock | null;
  undo?: UndoSeen | null;
}

export interface Refusal {
  code: string;
  sentence: string;
  detail?: { rule?: string; key?: string; params?: Record<string, string | number> } | null;
}

export type Answer =
  | { type: 'ack'; id: string; seq: number }
  | ({ type: 'error'; id: string | null } & Refusal)
  | ({ type: 'previewed'; id: string } & Preview<unknown>)
  | { type: 'why'; id: string; allowed: boolean; sentence: string; detail: Refusal['detail'] }
  | { type: 'pong'; id: string };

export type News =
  | Welcome
  | Update
  | { type: 'table'; seq: number; table: TableSeen }
  | { type: 'clock'; seq: number; clock: Clock | null }
  | { type: 'said'; line: Line }
  | { type: 'bye'; sentence: string };

export type Frame = News | Answer;

/** What a client asks; the id is added when it is sent. */
export type Asking =
  | { type: 'act' | 'preview' | 'why-not'; action: Tagged }
  | { type: 'say'; text: string; to: string | null }
  | { type: 'ready'; ready: boolean }
  | { type: 'pause'; paused: boolean }
  | { type: 'agree'; agree: boolean }
  | { type: 'seed'; seed: string }
  | { type: 'undo' }
  | { type: 'ping' };

/** Where questions go and answers come from: a socket, or a recording. */
export interface Post {
  readonly state: 'connecting' | 'open' | 'lost' | 'refused';
  readonly restarting: boolean; // the server said it goes down for a moment
  ask(message: Asking): Promise<Answer>;
}
