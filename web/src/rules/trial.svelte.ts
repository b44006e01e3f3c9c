/** A worked example to try out: a local table whose moves are replayed by the server from its beginning. */
import type { TableUi, Tagged } from '$lib/contract';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { api, refusalOf } from '../net/api';
import { ActionTable } from '../net/legal_actions';
import type { Answer, TableRequest, ExampleCard, Transport, PersonInfo, TableInfo, TrialResult } from '../net/wire';

const READER = 'reader';

export interface Company {
  seat: number; // the reader's language
  names: string[];
}

export class Trial implements Transport {
  readonly state = 'open';
  readonly restarting = false;
  readonly store = new TableStore();
  readonly table: Table;
  next = $state.raw<Tagged | null>(null); // moves of the example
  sentences = $state.raw<string[]>([]); // sentences of the last move
  moved = $state(false);
  private readonly repertoire: ActionTable;
  private moves: Tagged[] = [];

  constructor(
    readonly game: string,
    readonly card: ExampleCard,
    company: Company,
    ui: TableUi,
  ) {
    this.repertoire = new ActionTable(card.actions);
    this.store.you = { person: READER, seat: company.seat };
    this.store.table = tableOf(game, company);
    this.table = new Table(this.store, this, ui);
    this.begin();
  }

  /** Whether the trial is over. */
  get over(): boolean {
    return this.moved && !this.table.animating && !this.table.pending && !this.store.position?.legal.length;
  }

  /** Reset to the start position. */
  begin(): void {
    this.table.cancel();
    this.table.skipAnimations();
    [this.moves, this.sentences, this.moved, this.next] = [[], [], false, this.card.begins.next];
    this.store.position = this.repertoire.decode(this.card.begins.position!);
    this.store.animations.set(this.store.position);
    this.store.seq = 0;
  }

  /** Make the example's next move. */
  show(): void {
    if (this.next) void this.table.act(this.next);
  }

  reconnect(): void {}

  async request(message: TableRequest): Promise<Answer> {
    if (message.type !== 'act' && message.type !== 'preview' && message.type !== 'why-not') return ack(this.store.seq);
    const moves = [...this.moves, message.action];
    const ask = message.type === 'act' ? 'play' : message.type;
    try {
      const tried = await api.tryExample(this.game, this.card.name, words.language, moves, ask);
      return message.type === 'act' ? this.played(tried, moves) : answered(message.type, tried);
    } catch (error) {
      return { type: 'error', id: null, ...refusalOf(error) };
    }
  }

  private played(tried: TrialResult, moves: Tagged[]): Answer {
    if (!tried.position) return refused(tried);
    [this.moves, this.next, this.sentences, this.moved] = [moves, tried.next, tried.sentences, true];
    const position = this.repertoire.decode(tried.position);
    const { events, sentences } = tried;
    const none = { clock: null, undo: null, note: null };
    this.store.receive({ type: 'update', seq: moves.length, events, sentences, position, ...none });
    return ack(moves.length);
  }
}

function answered(kind: 'preview' | 'why-not', tried: TrialResult): Answer {
  const allowed = !tried.refused;
  if (kind === 'why-not')
    return {
      type: 'why-not',
      id: '',
      allowed,
      sentence: tried.refused,
      detail: tried.rule ? { rule: tried.rule } : null,
    };
  if (!allowed) return refused(tried);
  const { events, sentences, points, chance_follows } = tried;
  return { type: 'preview', id: '', events, sentences, points, chance_follows, undo: 'free' };
}

function refused({ refused: sentence, rule }: TrialResult): Answer {
  return { type: 'error', id: null, code: 'illegal', sentence, detail: rule ? { rule } : null };
}

const ack = (seq: number): Answer => ({ type: 'ack', id: '', seq });

/** The table info of an example. */
function tableOf(game: string, { seat: mine, names }: Company): TableInfo {
  const people = names.map((name, seat) => seated(seat === mine ? READER : `seat-${seat}`, name, seat));
  return {
    table: '',
    game,
    rules: 0,
    status: 'playing',
    seats: names.length,
    options: {},
    listed: false,
    people,
    host: READER,
    reason: '',
    rematch: '',
    bots: [],
    paused: 'no',
    pause_over: false,
    locked: true,
    spectators: 'nobody',
    latecomers: false,
    guests: 0,
    screens: 0,
    party: false,
    rematch_by: '',
    pace: 'relaxed',
    practice: false,
    seconds: null,
    consent: 'everybody',
    house_rules: {},
    commitment: '',
    undo_asked: null,
    undo_failed: null,
    forked_from: null,
    avatars: [],
    first: null,
    lesson: null,
    queue: [],
    ended_by_bots: [],
    evening: [],
    evening_shown: false,
    evening_over: false,
  } as TableInfo;
}

function seated(person: string, name: string, seat: number): PersonInfo {
  return {
    person,
    name,
    seat,
    connected: true,
    ready: true,
    muted: false,
    bot_plays: false,
    inactive: false,
    bot_in: null,
    votes: [],
    left: false,
    invited: false,
    wants_avatar: null,
    wants_seat: null,
    reclaims: null,
  };
}
