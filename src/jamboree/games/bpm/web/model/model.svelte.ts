/** State shared by BPM's components: the selection, the action it stands for, and the running animation. */
import { row, column, rowsOf } from '../board/geometry';
import { settle, type Piece } from './pieces';
import { advance, type Staged } from '../animation/advance';
import type { Action, BpmTable, Cell, CellAction, Event, Opening, Prospect, Song, Swap, View } from './wire';

export type Mode = 'swap' | 'break' | 'place' | 'recover' | 'superfan' | 'keep';

const TYPES = {
  swap: 'SwapDancers',
  break: 'SendOnBreak',
  place: 'PlaceToken',
  recover: 'RecoverToken',
  superfan: 'MakeSuperfan',
  keep: 'KeepFan',
} as const;
const MODES = Object.keys(TYPES) as Mode[];

/** State of the Drop's animation: countdown, reveal, order. */
export interface Drop {
  songs: Song[];
  count: number; // 3, 2, 1, and 0 once the songs are revealed
  order: number[] | null;
  passed: boolean; // songs have been passed to the left
}

/** State of a combo's animation: its cells and points. */
export interface Combo {
  seat: number;
  cells: Cell[];
  points: number;
}

/** State of the quest reveal: number of open quests. */
export interface Reveal {
  quests: string[];
  points: number[];
  open: number;
}

/** What the action being considered would change on the floor. */
export interface Ahead {
  swap: Swap | null;
  token: { cell: Cell; owner: number } | null;
  leaves: Cell[]; // dancers that would leave or be given up
  stars: Cell[]; // dancers that would become superfans
  opens: boolean; // dancers leave, so newcomers follow
  lines: Prospect[] | null;
  hop: Cell | null;
  openings: Opening[];
}

export class BpmModel {
  private wish = $state.raw<{ mode: Mode; round: number } | null>(null); // dropped in another round
  private lifted = $state.raw<{ cell: Cell; on: View } | null>(null); // dropped on another floor
  over = $state<Cell | null>(null); // cell under the pointer or focus
  drop = $state.raw<Drop | null>(null);
  combo = $state.raw<Combo | null>(null);
  reveal = $state.raw<Reveal | null>(null);
  sorts = $state(false); // hand sorted by BPM
  peeks = $state(false); // show the floor while picking setlists
  private picks = $state.raw<number[] | null>(null); // songs left at home
  private animated = $state.raw<(Staged & { before: View }) | null>(null);
  private known: Piece[] = [];

  private readonly staged = $derived.by(() => (this.animated?.before === this.table.view ? this.animated : null));
  readonly pieces = $derived.by(() => (this.known = this.staged?.pieces ?? settle(this.known, this.table.view.floor)));

  readonly modes = $derived.by(() => MODES.filter((mode) => this.table.offers(TYPES[mode]).length));
  private readonly wished = $derived.by(() => (this.wish?.round === this.table.view.round ? this.wish.mode : null));
  readonly mode = $derived.by(() => this.modes.find((mode) => mode === this.wished) ?? this.modes[0] ?? null);
  readonly partners = $derived.by(() => partnersOf(this.table.offers('SwapDancers')));
  readonly held = $derived.by(() => {
    const { cell, on } = this.lifted ?? {};
    return cell && on === this.table.view && this.partners.has(cell) ? cell : null;
  });
  readonly ahead = $derived.by(() => foresee(this.table.intent, this.table.intentPreview?.events ?? []));

  readonly atHome = $derived.by(() => this.picks ?? this.mySealed);
  readonly discard = $derived.by(() => {
    const [first, second] = [...this.atHome].sort((one, other) => one - other);
    return this.table.offers('DiscardSongs').find((one) => one.first === first && one.second === second) ?? null;
  });

  constructor(readonly table: BpmTable) {}

  /** The view after the events animated so far. */
  get view(): View {
    return this.staged ?? this.table.view;
  }

  get song(): Song | null {
    const { turn, playing, phase } = this.view;
    return turn !== null && (phase === 'song' || phase === 'recover') ? (playing[turn] ?? null) : null;
  }

  /** Whether a player's song of this round has been played, is playing, or is to come. */
  songIs(seat: number): 'past' | 'now' | 'next' {
    const { phase, order, at, turn } = this.view;
    if (phase === 'welcome') return 'next';
    if (phase !== 'song' && phase !== 'recover') return 'past';
    const place = order.indexOf(seat);
    return place < at ? 'past' : place === at && turn === seat ? 'now' : 'next';
  }

  /** Dancers without token that the considered song could turn into fans without a move. */
  get highlightedCells(): Cell[] {
    const intent = this.table.intent;
    const song = intent?.type === 'CueSong' ? this.hand[intent.slot] : null;
    const any = this.view.bends.includes('any_colour');
    const fits = ({ dancer, fan_of }: Piece): boolean => fan_of === null && (any || dancer.colour === song!.colour);
    return song ? this.pieces.filter(fits).map((one) => one.cell) : [];
  }

  /** Owner of a placed token; for a gift the player who scored. */
  get owner(): number {
    const { phase, order, at, turn } = this.view;
    return phase === 'gift' ? (order[at] ?? 0) : (turn ?? this.table.me ?? 0);
  }

  /** My songs, without the one on the table for the Drop. */
  get hand(): Song[] {
    const me = this.table.me;
    const dropped = me === null ? undefined : this.drop?.songs[me]?.number;
    return (me === null ? [] : (this.view.hands[me]?.songs ?? [])).filter((song) => song.number !== dropped);
  }

  /** My songs with their slots, in the chosen order. */
  get laid(): { song: Song; slot: number }[] {
    const songs = this.hand.map((song, slot) => ({ song, slot }));
    return this.sorts ? songs.sort((one, other) => one.song.bpm - other.song.bpm) : songs;
  }

  /** Slots of my sealed setlist. */
  get mySealed(): number[] {
    return (this.table.me === null ? null : this.view.sealed[this.table.me]?.slots) ?? [];
  }

  /** Toggle whether a song stays at home; a third one takes the first back. */
  leaveAtHome(slot: number): void {
    const others = this.atHome.filter((one) => one !== slot);
    this.picks = others.length < this.atHome.length ? others : [...others, slot].slice(-2);
  }

  pieceAt(cell: Cell): Piece | undefined {
    return this.pieces.find((one) => one.cell === cell);
  }

  play(event: Event, before: View, after: View): void {
    const on = this.staged ?? { ...this.table.view, pieces: this.pieces };
    this.animated = { ...advance(on, event, after), before };
  }

  /** The action of pressing a cell, or `lift` if it selects a dancer. */
  target(cell: Cell): Action | 'lift' | null {
    if (!this.mode) return null;
    if (this.mode !== 'swap') return this.cellActions().find((action) => action.cell === cell) ?? null;
    const swap = this.held && this.partners.get(this.held)?.get(cell);
    if (swap) return swap;
    return this.partners.has(cell) ? 'lift' : null;
  }

  /** The first cell, in reading order, with an action of the selected kind. */
  get firstTarget(): Cell | null {
    return this.nextTarget(null);
  }

  /** The next cell with an action of the selected kind, in reading order, wrapping around. */
  nextTarget(from: Cell | null): Cell | null {
    const cells = rowsOf(this.view.columns, this.view.rows).flat();
    const after = from === null ? 0 : cells.indexOf(from) + 1;
    return [...cells.slice(after), ...cells.slice(0, after)].find((cell) => this.target(cell)) ?? null;
  }

  /** The `data-at` at which the next decision is made. */
  get next(): string | null {
    const { table, modes } = this;
    if (table.offers('ChooseHype').length) return 'hype-0';
    if (table.offers('DiscardSongs').length || table.offers('CueSong').length) return `song-${this.laid[0]?.slot ?? 0}`;
    if (modes.length > 1) return `mode-${this.mode}`;
    if (this.firstTarget) return `cell-${this.firstTarget}`;
    return table.legal.length ? 'pass' : null;
  }

  press(cell: Cell, pointer?: string): void {
    const target = this.target(cell);
    if (cell === this.held) this.putDown();
    else if (target === 'lift') this.lift(cell);
    else if (target) this.table.choose(target, pointer);
    else if (this.mode && this.table.canAct) void this.table.whyNot(this.intended(cell));
  }

  consider(cell: Cell | null): void {
    this.over = cell;
    const target = cell === null ? null : this.target(cell);
    this.table.consider(target === 'lift' ? null : target);
  }

  lift(cell: Cell): void {
    this.mean('swap');
    this.lifted = { cell, on: this.table.view };
    this.table.consider(null);
  }

  putDown(): void {
    this.lifted = null;
    this.table.consider(null);
  }

  want(mode: Mode): void {
    this.mean(mode);
    this.putDown();
  }

  private mean(mode: Mode): void {
    this.wish = { mode, round: this.table.view.round };
  }

  private cellActions(): CellAction[] {
    return this.mode && this.mode !== 'swap' ? this.table.offers(TYPES[this.mode]) : [];
  }

  /** The action a press intended, to ask why it is illegal. */
  private intended(cell: Cell): Action {
    const mode = this.mode ?? 'place';
    if (mode !== 'swap') return { type: TYPES[mode], cell };
    const [one, other] = [this.held ?? cell, cell].sort(fromTheStage) as [Cell, Cell];
    return { type: 'SwapDancers', cell: one, other };
  }
}

function fromTheStage(one: Cell, other: Cell): number {
  return row(one) - row(other) || column(one) - column(other);
}

function partnersOf(swaps: Swap[]): Map<Cell, Map<Cell, Swap>> {
  const partners = new Map<Cell, Map<Cell, Swap>>();
  const add = (from: Cell, to: Cell, swap: Swap): void => {
    if (!partners.has(from)) partners.set(from, new Map());
    partners.get(from)!.set(to, swap);
  };
  for (const swap of swaps) {
    add(swap.cell, swap.other, swap);
    add(swap.other, swap.cell, swap);
  }
  return partners;
}

const OPENING = new Set<Action['type']>(['SendOnBreak', 'RecoverToken', 'MakeSuperfan', 'KeepFan']);
const AFTERWARDS = new Set<Event['type']>(['SongStarted', 'BallCaught', 'FloorFilled', 'RoundBegan']);

/** The changes of a preview to draw. */
function foresee(intent: Action | null, events: Event[]): Ahead | null {
  if (!intent) return null;
  const ahead: Ahead = {
    swap: null,
    token: null,
    leaves: [],
    stars: [],
    opens: false,
    lines: null,
    hop: null,
    openings: [],
  };
  if (intent.type === 'SwapDancers') ahead.swap = intent;
  if (intent.type === 'SendOnBreak' || intent.type === 'RecoverToken') ahead.leaves = [intent.cell];
  ahead.opens = OPENING.has(intent.type);
  for (const event of events) {
    if (AFTERWARDS.has(event.type)) break;
    if ('lines' in event) ahead.lines = event.lines;
    if (event.type === 'DancersSwapped') [ahead.hop, ahead.openings] = [event.hop, event.openings];
    if (event.type === 'TokenPlaced') ahead.token = { cell: event.cell, owner: event.owner };
    if (event.type === 'BonusScored') ahead.stars = [event.cell];
    if (event.type === 'ComboScored') ahead.stars = event.cells.filter((cell) => cell !== event.kept);
  }
  return ahead;
}
