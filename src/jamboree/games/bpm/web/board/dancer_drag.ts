/** Drag and drop of a dancer to its possible targets. */
import type { Carrier } from '$lib/drag.svelte';
import type { Point } from '$lib/pointer';
import type { BpmModel } from '../model/model.svelte';
import type { Cell } from '../model/wire';
import { cellAt, LEFT, PITCH, TOP } from './geometry';

export function carrying(club: BpmModel, floor: () => SVGSVGElement): Carrier<Cell> {
  const under = (at: Point): Cell | null => cellUnder(onFloor(at, floor()), club.view);
  return {
    mayTake: (cell) => club.partners.has(cell),
    take: (cell) => club.lift(cell),
    over: (at) => club.consider(under(at)),
    put(cell, at, pointer) {
      const target = club.target(under(at) ?? cell);
      if (target && target !== 'lift') club.table.choose(target, pointer);
      else club.putDown();
    },
    letGo: () => club.putDown(),
  };
}

/** Convert a point of the window to floor coordinates. */
export function onFloor(at: Point, floor: SVGSVGElement): Point {
  const drawn = floor.getBoundingClientRect();
  const [, , width, height] = (floor.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
  return { x: ((at.x - drawn.left) / drawn.width) * width!, y: ((at.y - drawn.top) / drawn.height) * height! };
}

function cellUnder(point: Point, { columns, rows }: { columns: number; rows: number }): Cell | null {
  const [x, y] = [Math.floor((point.x - LEFT) / PITCH), Math.floor((point.y - TOP) / PITCH)];
  return x >= 0 && y >= 0 && x < columns && y < rows ? cellAt(x, y) : null;
}
