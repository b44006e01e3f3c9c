/** Plays events on a view, one after the other, so that a step with many events can be told in its order.
 *
 * Nothing is decided here: an event says what changed, and the view that follows the step has the last word. */
import type { Seat } from '$lib/contract';
import { cellAt, column, row } from '../board/geometry';
import { moved, piece, swapped, withToken, without, type Piece } from '../model/pieces';
import type { Cell, Dancer, Event, Told, View } from '../model/wire';

export interface Staged {
  view: View;
  pieces: Piece[];
}

type Play<K extends Event['type']> = (on: Staged, event: Told<K>, after: View) => Partial<View> & { pieces?: Piece[] };

const PLAYS: { [K in Event['type']]?: Play<K> } = {
  SetlistSealed: ({ view }, { seat }) => ({ sealed: sealedBy(view, seat) }),
  SongCued: ({ view }, { seat }) => ({ sealed: sealedBy(view, seat) }),
  RoundBegan: ({ view }, { round }) => ({
    round,
    card: null,
    area: [],
    order: [],
    playing: view.playing.map(() => null),
  }),
  BallMoved: (_, { to }) => ({ ball: to, hop: null, catching: [] }),
  BallPlaced: (_, { cell }) => ({ ball: cell, hop: null, catching: [] }),
  HypeRevealed: (_, { card }, after) =>
    after.card === card ? { card, bends: after.bends, area: after.area } : { card, bends: [], area: [] },
  SongsDropped: (_, { songs }, { hands }) => ({ playing: songs, hands, phase: 'song', turn: null, order: [] }),
  SongsPassed: (_, { songs }) => ({ playing: songs }),
  OrderFound: (_, { order }) => ({ order, at: 0 }),
  FloorShifted: ({ view, pieces }, { how }) => ({
    pieces: how === 'surf' ? surfed(pieces) : shoved(pieces, view.columns),
  }),
  SongStarted: ({ view }, { seat }) => ({ turn: seat, phase: 'song', at: Math.max(0, view.order.indexOf(seat)) }),
  TokenRecovered: ({ view, pieces }, { seat, cell }) => ({
    pieces: without(pieces, [cell]),
    tokens: added(view.tokens, seat, 1),
  }),
  DancersSwapped: ({ pieces }, { cell, other, lines, hop }) => ({ pieces: swapped(pieces, cell, other), lines, hop }),
  DancerLeft: ({ pieces }, { cell }) => ({ pieces: without(pieces, [cell]) }),
  FloorFilled: ({ pieces }, event) => ({ pieces: filled(pieces, event), lines: event.lines, hop: event.hop }),
  TokenPlaced: ({ view, pieces }, { owner, cell, lines }) => ({
    pieces: withToken(pieces, cell, owner),
    tokens: added(view.tokens, owner, -1),
    lines,
  }),
  BallCaught: ({ view }, { seat, dancer }) => ({ superfans: joined(view, seat, [dancer]) }),
  BonusScored: ({ view, pieces }, { seat, cell, dancer }) => ({
    pieces: without(pieces, [cell]),
    superfans: joined(view, seat, [dancer]),
    tokens: added(view.tokens, seat, 1),
  }),
  ComboScored: ({ view, pieces }, { seat, cells, kept, superfans }) => ({
    pieces: without(
      pieces,
      cells.filter((cell) => cell !== kept),
    ),
    superfans: joined(view, seat, superfans),
    tokens: added(view.tokens, seat, superfans.length),
    lines: view.lines.map((line, at) => (at === seat ? { cells: [], superfans: 0, runs: [] } : line)),
  }),
  QuestsRevealed: (_, { quests }) => ({ quests }),
};

/** Show a position as it is after one more event. */
export function played(on: Staged, event: Event, after: View): Staged {
  const play = PLAYS[event.type] as Play<Event['type']> | undefined;
  if (!play) return on;
  const { pieces = on.pieces, ...changed } = play(on, event, after);
  return { view: { ...on.view, ...changed }, pieces };
}

function added(numbers: number[], at: number, count: number): number[] {
  return numbers.map((number, place) => (place === at ? number + count : number));
}

function sealedBy(view: View, seat: Seat): View['sealed'] {
  return view.sealed.map((one, at) => (at === seat ? { ...one, done: true } : one));
}

function joined(view: View, seat: Seat, dancers: Dancer[]): Dancer[][] {
  return view.superfans.map((fans, at) => (at === seat ? [...fans, ...dancers] : fans));
}

/** Those who stay take the places that no newcomer has and that are no gap, nearest the stage first. */
function filled(pieces: Piece[], { newcomers, gaps }: Told<'FloorFilled'>): Piece[] {
  const open = new Set([...newcomers.map((one) => one.cell), ...gaps]);
  const place = new Map<Cell, Cell>();
  const next = new Map<number, number>();
  for (const { cell } of inRows(pieces)) {
    let at = next.get(column(cell)) ?? 0;
    while (open.has(cellAt(column(cell), at))) at++;
    place.set(cell, cellAt(column(cell), at));
    next.set(column(cell), at + 1);
  }
  return [...moved(pieces, (cell) => place.get(cell)!), ...newcomers.map((one) => piece(one.cell, one.dancer))];
}

function inRows(pieces: Piece[]): Piece[] {
  return [...pieces].sort((one, other) => row(one.cell) - row(other.cell));
}

function surfed(pieces: Piece[]): Piece[] {
  const last = new Map<number, number>();
  for (const { cell } of pieces) last.set(column(cell), Math.max(row(cell), last.get(column(cell)) ?? 0));
  return moved(pieces, (cell) => cellAt(column(cell), row(cell) ? row(cell) - 1 : last.get(column(cell))!));
}

function shoved(pieces: Piece[], columns: number): Piece[] {
  return moved(pieces, (cell) => cellAt((column(cell) + 1) % columns, row(cell)));
}
