/**
 * Applies each event to the view that is shown, so that the table follows the animation.
 *
 * Events name new dancers but not those that shift; only this closing up of the floor is computed here.
 */
import { applyEvent, type Advances } from '$lib/table/advance';
import type { Seat } from '$lib/contract';
import { cellAt, column, row } from '../board/geometry';
import { moved, piece, swapped, withToken, without, type Piece } from '../model/pieces';
import type { Cell, Dancer, Event, EventOf, View } from '../model/wire';

/** A view after the events animated so far, with dancer identities. */
export type Staged = View & { pieces: Piece[] };

const ADVANCES: Advances<Staged, Event, View> = {
  SetlistSealed: (on, { seat }) => ({ sealed: sealedBy(on, seat) }),
  SongCued: (on, { seat }) => ({ sealed: sealedBy(on, seat) }),
  RoundBegan: (on, { round }) => ({
    round,
    card: null,
    area: [],
    order: [],
    playing: on.playing.map(() => null),
  }),
  BallMoved: (_, { to }) => ({ ball: to, hop: null, catching: [] }),
  BallPlaced: (_, { cell }) => ({ ball: cell, hop: null, catching: [] }),
  HypeRevealed: (_, { card }, after) =>
    after.card === card ? { card, bends: after.bends, area: after.area } : { card, bends: [], area: [] },
  SongsDropped: (_, { songs }, { hands }) => ({ playing: songs, hands, phase: 'song', turn: null, order: [] }),
  SongsPassed: (_, { songs }) => ({ playing: songs }),
  OrderFound: (_, { order }) => ({ order, at: 0 }),
  FloorShifted: (on, { how }) => ({
    pieces: how === 'surf' ? surfed(on.pieces) : shoved(on.pieces, on.columns),
  }),
  SongStarted: (on, { seat }) => ({ turn: seat, phase: 'song', at: Math.max(0, on.order.indexOf(seat)) }),
  TokenRecovered: (on, { seat, cell }) => ({
    pieces: without(on.pieces, [cell]),
    tokens: added(on.tokens, seat, 1),
  }),
  DancersSwapped: ({ pieces }, { cell, other, lines, hop }) => ({ pieces: swapped(pieces, cell, other), lines, hop }),
  DancerLeft: ({ pieces }, { cell }) => ({ pieces: without(pieces, [cell]) }),
  FloorFilled: ({ pieces }, event) => ({ pieces: filled(pieces, event), lines: event.lines, hop: event.hop }),
  TokenPlaced: (on, { owner, cell, lines }) => ({
    pieces: withToken(on.pieces, cell, owner),
    tokens: added(on.tokens, owner, -1),
    lines,
  }),
  BallCaught: (on, { seat, dancer }) => ({ superfans: joined(on, seat, [dancer]) }),
  BonusScored: (on, { seat, cell, dancer }) => ({
    pieces: without(on.pieces, [cell]),
    superfans: joined(on, seat, [dancer]),
    tokens: added(on.tokens, seat, 1),
  }),
  ComboScored: (on, { seat, cells, kept, superfans }) => ({
    pieces: without(
      on.pieces,
      cells.filter((cell) => cell !== kept),
    ),
    superfans: joined(on, seat, superfans),
    tokens: added(on.tokens, seat, superfans.length),
    lines: on.lines.map((line, at) => (at === seat ? { cells: [], superfans: 0, runs: [] } : line)),
  }),
  QuestsRevealed: (_, { quests }) => ({ quests }),
};

export function advance(on: Staged, event: Event, after: View): Staged {
  return applyEvent(ADVANCES, on, event, after);
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

/** Remaining dancers fill the cells that are neither newcomers' nor gaps, nearest the stage first. */
function filled(pieces: Piece[], { newcomers, gaps }: EventOf<'FloorFilled'>): Piece[] {
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
