/** Loads the geometry of a festival's board. */
import type { BebopFestival as Festival, BebopHexSeen as Hex } from '$types/wire';
import { neighbours } from '../board/hexes';

export type { Hex };

export interface Board extends Festival {
  at: Map<string, Hex>; // by name
}

export function boardOf(festival: Festival): Board {
  return { ...festival, at: new Map(festival.hexes.map((hex) => [hex.name, hex])) };
}

/** The letters of the stages next to a hex. */
export function stagesBeside(board: Board, hex: Hex): string[] {
  const near = new Set(neighbours(hex).map(({ x, y }) => `${x},${y}`));
  const found = board.hexes.filter(
    (other) => other.stage !== hex.stage && other.stage && near.has(`${other.x},${other.y}`),
  );
  return [...new Set(found.map((other) => other.stage!))];
}
