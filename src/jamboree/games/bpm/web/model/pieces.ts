/** Dancers with stable identities, so that a moving dancer is animated instead of replaced. */
import type { Cell, Dancer, Spot } from './wire';

export interface Piece extends Spot {
  id: number;
}

let made = 0;

export function piece(cell: Cell, dancer: Dancer, fan_of: number | null = null): Piece {
  return { id: made++, cell, dancer, fan_of };
}

/** Assign identities on a new floor: the same dancer on the same cell keeps its identity. */
export function settle(before: Piece[], floor: Spot[]): Piece[] {
  const stood = new Map(before.map((one) => [one.cell, one]));
  return floor.map((spot) => {
    const old = stood.get(spot.cell);
    const same = old && old.dancer.colour === spot.dancer.colour && old.dancer.arrow === spot.dancer.arrow;
    return same ? { ...old, fan_of: spot.fan_of } : piece(spot.cell, spot.dancer, spot.fan_of);
  });
}

export function moved(pieces: Piece[], to: (cell: Cell) => Cell): Piece[] {
  return pieces.map((one) => ({ ...one, cell: to(one.cell) }));
}

export function swapped(pieces: Piece[], one: Cell, other: Cell): Piece[] {
  return moved(pieces, (cell) => (cell === one ? other : cell === other ? one : cell));
}

export function without(pieces: Piece[], cells: Cell[]): Piece[] {
  return pieces.filter((one) => !cells.includes(one.cell));
}

export function withToken(pieces: Piece[], cell: Cell, fan_of: number | null): Piece[] {
  return pieces.map((one) => (one.cell === cell ? { ...one, fan_of } : one));
}
