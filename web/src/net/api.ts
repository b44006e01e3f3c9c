/** HTTP client: games, tables, and what can be read of finished games. */
import type { Painting, Tagged } from '$lib/contract';
import type { Checked, Credentials, LogStep, SetUpTable, TableCard } from '$types/wire';
import type * as Wire from '$types/wire';
import type { Journal } from '../postgame/verify';
import { apiUrl, request, UnsafePart, type Part, type Query, type Url } from '$lib/urls';
import { server } from '../app/server_status.svelte';
import { alone, pageServer } from '../page/page_server.svelte';
import { readReplayStream } from './replay_stream';
import type { AnalysisInfo, CourseKind, Examples, Level, Refusal, TableResponse, TrialResult } from './wire';

export type { Checked, LogStep, TableCard };
export type Ban = Wire.BanInfo;
export type Seating = 'same' | 'rotated' | 'shuffled'; // seating of a rematch
export type Eyes = number | null; // the viewer of a finished game; null: everything revealed
export interface WatchedJournal extends Omit<Wire.WatchedJournal, 'paintings' | 'views'> {
  views: unknown[];
  paintings: Painting[];
}
export type SetUp = Partial<SetUpTable>;
export type Opening = Omit<Wire.OpenTable, 'keep'>;

export interface OptionSchema {
  type?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  $ref?: string;
  anyOf?: OptionSchema[];
}

type Definitions = Record<string, OptionSchema & { properties?: Record<string, OptionSchema> }>;

export interface GameCard extends Omit<Wire.GameCard, 'options' | 'seats' | 'minutes'> {
  seats: [number, number];
  minutes: [number, number];
  options: { $ref: string; $defs: Definitions };
}

/** A request that the server refused or never received. */
export class RequestFailed extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.sentence);
  }
}

/** Error codes with which a table refuses to be read. */
export const ENTRY_REFUSED = ['banned', 'locked', 'no-spectators', 'join-to-watch'];

export const refusalOf = (error: unknown): Refusal =>
  error instanceof RequestFailed ? error.refusal : { code: 'broken', sentence: '' };

let actingPerson: string | null = null; // null: only one person uses this device

/** Send further requests as one of several people on this device; as `nobody` while the curtain is closed. */
export function actAs(person: string | null): void {
  actingPerson = person;
}

interface RequestOptions {
  query?: Query;
  body?: unknown;
  credentials?: RequestCredentials;
}

async function send(
  method: string,
  path: readonly Part[],
  { query, body, credentials }: RequestOptions = {},
): Promise<Response> {
  const url = urlOf(path, query);
  const headers: HeadersInit = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(actingPerson && { 'Jamboree-As': actingPerson }),
  };
  const sent = body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body);
  const asked = alone
    ? pageServer.respond(method, path, asQuery(query, credentials), actingPerson ?? '', body)
    : request(url, { method, headers, body: sent, credentials });
  const response = await asked.catch(() => {
    server.note(null);
    throw new RequestFailed({ code: 'offline', sentence: '' });
  });
  server.note(response);
  if (!response.ok) throw new RequestFailed(refusalIn(await response.text()));
  return response;
}

/** A page without cookies is told in the query that a request comes from nobody. */
const asQuery = (query: Query = {}, credentials?: RequestCredentials): Query =>
  credentials === 'omit' ? { ...query, public: true } : query;

/** A path part that can't be encoded safely names nothing: fail as not found, without a request. */
function urlOf(path: readonly Part[], query?: Query): Url {
  try {
    return apiUrl(path, query);
  } catch (error) {
    throw error instanceof UnsafePart ? new RequestFailed({ code: 'not-found', sentence: '' }) : error;
  }
}

async function call<T>(method: string, path: readonly Part[], options?: RequestOptions): Promise<T> {
  const text = await (await send(method, path, options)).text();
  return (text ? JSON.parse(text) : undefined) as T;
}

function refusalIn(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return { code: 'broken', sentence: '' };
  }
}

const get = <T>(path: readonly Part[], query?: Query): Promise<T> => call<T>('GET', path, { query });
const post = <T = void>(path: readonly Part[], body: unknown = {}, query?: Query): Promise<T> =>
  call<T>('POST', path, { body, query });
const at = (code: string, ...what: string[]): Part[] => ['tables', code, ...what];

export const api = {
  games: () => get<GameCard[]>(['games']),
  rules: (game: string, language: string) => get<Wire.Rules>(['games', game, 'rules'], { language }),
  examples: (game: string, language: string) => get<Examples>(['games', game, 'examples'], { language }),
  tryExample: (game: string, example: string, language: string, moves: Tagged[], asked: Wire.TryExample['ask']) =>
    post<TrialResult>(['games', game, 'examples', example], { moves, ask: asked }, { language }),
  lessons: (game: string, language: string, course: CourseKind = 'basics') =>
    get<Wire.Lessons>(['games', game, 'lessons'], { language, course }),
  learn: (game: string, name: string, course: CourseKind = 'basics') =>
    post<Credentials>(['games', game, 'lessons'], { name, course, keep: 'cookie' }),
  check: (game: string, options: object, language: string) =>
    post<Checked>(['games', game, 'check'], options, { language }),
  tables: (status: string) => get<TableCard[]>(['tables'], { status }),
  open: (opening: Opening) => post<Credentials>(['tables'], { ...opening, keep: 'cookie' }),
  party: (game: string) => post<{ table: string }>(['parties'], { game }),
  end: (code: string) => post(at(code, 'end')),
  nextGame: (code: string, game: string, watching: string[]) =>
    post<{ table: string }>(at(code, 'next-game'), { game, watching }),
  showEvening: (code: string, shown: boolean) => post(at(code, 'evening'), { shown }),
  requestReclaim: (code: string, person: string | null) => post(at(code, 'seat', 'reclaim'), { person }),
  answerReclaim: (code: string, person: string, player: string, agrees: boolean) =>
    post(at(code, 'seat', 'reclaim', 'answer'), { person, player, agrees }),
  table: (code: string) => get<TableResponse>(at(code)),
  join: (code: string, who: { name: string; seat?: number | null; watch?: boolean; beside?: boolean }) =>
    post<Credentials>(at(code, 'join'), { ...who, keep: 'cookie' }),
  invite: (code: string) => get<Wire.Invite>(at(code, 'invite')),
  leave: (code: string) => post(at(code, 'leave')),
  erasePersonalData: (code: string) => post(at(code, 'forget-me')),
  seat: (code: string, seat: number | null, person?: string) =>
    post(at(code, 'seat'), { seat, person: person ?? null }),
  requestSeat: (code: string, seat: number | null) => post(at(code, 'seat', 'request'), { seat }),
  answerSeatRequest: (code: string, person: string, agrees: boolean) =>
    post(at(code, 'seat', 'request', 'answer'), { person, agrees }),
  rename: (code: string, name: string) => post(at(code, 'name'), { name }),
  chooseAvatar: (code: string, avatar: number) => post(at(code, 'avatar'), { avatar }),
  answerAvatarRequest: (code: string, person: string, agrees: boolean) =>
    post(at(code, 'avatar', 'answer'), { person, agrees }),
  pace: (code: string, pace: Wire.BotPace) => post(at(code, 'pace'), { pace }),
  bot: (code: string, seat: number, level: Level | null) => post(at(code, 'bots'), { seat, level }),
  setUp: (code: string, change: SetUp) => post(at(code, 'setup'), change),
  start: (code: string) => post(at(code, 'start')),
  rematch: (code: string, start = false, seating: Seating = 'same') =>
    post<{ table: string }>(at(code, 'rematch'), {}, { start, seating }),
  fork: (code: string, step: number) => post<{ table: string }>(at(code, 'fork'), { step }),
  host: (code: string, person: string) => post(at(code, 'host'), { person }),
  remove: (code: string, person: string) => post(at(code, 'remove'), { person }),
  access: (code: string, change: Partial<Wire.SetAccess>) => post(at(code, 'access'), change),
  ban: (code: string, person: string) => post(at(code, 'ban'), { person }),
  bans: (code: string) => get<Ban[]>(at(code, 'bans')),
  unban: (code: string, ban: number) => post(at(code, 'unban'), { ban }),
  refuseName: (code: string, person: string) => post(at(code, 'refuse-name'), { person }),
  mute: (code: string, person: string, muted: boolean) => post(at(code, 'mute'), { person, muted }),
  link: (code: string) => post<Wire.Link>(at(code, 'links')),
  signOut: (code: string) => post(at(code, 'sign-out')),
  redeem: (code: string, link: string) => post<Credentials>(at(code, 'links', 'redeem'), { link, keep: 'cookie' }),
  log: (code: string, language: string, eyes: Eyes = null) => get<LogStep[]>(at(code, 'log'), { language, seat: eyes }),
  /** The log in the spectators' view, whoever has a seat in this browser. */
  logForAll: async (code: string, language: string) =>
    (await send('GET', at(code, 'log'), { query: { language }, credentials: 'omit' })).json() as Promise<LogStep[]>,
  /** The view of every step; `along` receives those that have arrived so far. */
  replay: async (code: string, along: (views: unknown[]) => void = () => undefined, eyes: Eyes = null) =>
    readReplayStream(await send('GET', at(code, 'replay'), { query: { changes: true, seat: eyes } }), along).catch(
      () => {
        throw new RequestFailed({ code: 'offline', sentence: '' });
      },
    ),
  paintings: (code: string, language: string, eyes: Eyes = null) =>
    get<Painting[]>(at(code, 'paintings'), { language, seat: eyes }),
  watch: (journal: Blob, language: string, eyes: Eyes, painted: boolean) =>
    post<WatchedJournal>(['journals', 'watch'], journal, { language, painted, seat: eyes }),
  journal: (code: string) => get<Journal>(at(code, 'journal')),
  analysis: (code: string, language: string, seat: number | null) =>
    get<AnalysisInfo>(at(code, 'analysis'), { language, seat }),
  analyse: (code: string) => post(at(code, 'analysis')),
  stopAnalysis: (code: string) => post(at(code, 'analysis', 'stop')),
  fairness: (code: string) => get<Wire.FairnessInfo>(at(code, 'fairness')),
};

export const invitePicture = (code: string): Url => apiUrl(at(code, 'invite.svg'));
export const journalFile = (code: string): Url => apiUrl(at(code, 'journal'));
