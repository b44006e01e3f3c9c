/** Geometry of the drawn floor: tiles of 98 units at a pitch of 102, letters above and numbers to the left. */
import type { Point } from '$lib/pointer';
import type { Cell } from '../model/wire';

export const PITCH = 102;
export const TILE = 98;
export const LEFT = 24;
export const TOP = 24;
const EDGE = 10;

export function column(cell: Cell): number {
  return cell.charCodeAt(0) - 97;
}

export function row(cell: Cell): number {
  return Number(cell.slice(1)) - 1;
}

export function cellAt(column: number, row: number): Cell {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

/** The top left corner of a tile. */
export function corner(cell: Cell): Point {
  return { x: LEFT + column(cell) * PITCH, y: TOP + row(cell) * PITCH };
}

export function centre(cell: Cell): Point {
  const { x, y } = corner(cell);
  return { x: x + TILE / 2, y: y + TILE / 2 };
}

/** Where the ball lies: on the corner behind and to the right of the cell it is named by. */
export function ballAt(cell: Cell): Point {
  const { x, y } = corner(cell);
  return { x: x + (TILE + PITCH) / 2, y: y + (TILE + PITCH) / 2 };
}

export function size(columns: number, rows: number): Point {
  return { x: LEFT + columns * PITCH + EDGE, y: TOP + rows * PITCH + EDGE - 4 };
}

/** The cells of a floor, row by row from the stage. */
export function rowsOf(columns: number, rows: number): Cell[][] {
  return Array.from({ length: rows }, (_, at) => Array.from({ length: columns }, (_, place) => cellAt(place, at)));
}

/** A path through the middles of cells. */
export function through(cells: Cell[]): string {
  return cells.map((cell, at) => `${at ? 'L' : 'M'}${centre(cell).x} ${centre(cell).y}`).join('');
}

/** A bow from one cell to another, over whatever lies between. */
export function bow(from: Cell, to: Cell): { path: string; top: Point } {
  const [a, b] = [centre(from), centre(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const far = Math.hypot(dx, dy);
  const lift = far > PITCH * 1.5 ? 74 : 40;
  const [ux, uy] = dx ? [0, -1] : [1, 0]; // upwards for a row, to the right for a column
  const [sx, sy] = [(dx / far) * 14, (dy / far) * 14];
  const control = { x: (a.x + b.x) / 2 + ux * lift * 1.5, y: (a.y + b.y) / 2 + uy * lift * 1.5 };
  const path = `M${a.x + sx + ux * 16} ${a.y + sy + uy * 16}Q${control.x} ${control.y} ${b.x - sx + ux * 16} ${b.y - sy + uy * 16}`;
  return { path, top: { x: (a.x + b.x) / 2 + ux * lift * 0.75, y: (a.y + b.y) / 2 + uy * lift * 0.75 } };
}
