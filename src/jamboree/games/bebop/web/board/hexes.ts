/** Hex geometry: centres, corners and outlines of sets of hexes, pointy-top or rotated by 90° to flat-top. */
import type { Point } from '$lib/pointer';

export interface Place {
  x: number; // column of the text map: neighbours are two apart in a row, one in the rows above and below
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const RADIUS = 50;
export const HALF = (RADIUS * Math.sqrt(3)) / 2; // width of a hex between its flat sides
const ROW = RADIUS * 1.5;
const STEPS: [number, number][] = [
  [2, 0],
  [1, 1],
  [-1, 1],
  [-2, 0],
  [-1, -1],
  [1, -1],
]; // clockwise, from the right

export function neighbours({ x, y }: Place): Place[] {
  return STEPS.map(([dx, dy]) => ({ x: x + dx, y: y + dy }));
}

export function centre({ x, y }: Place, turned: boolean): Point {
  return turned ? { x: -y * ROW, y: x * HALF } : { x: x * HALF, y: y * ROW };
}

/** The corner of a hex where its side to the nth neighbour begins. */
function corner(middle: Point, n: number, turned: boolean, radius = RADIUS): Point {
  const angle = ((60 * n + (turned ? 60 : -30)) * Math.PI) / 180;
  return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) };
}

/** A single hex around the origin. */
export function hexPath(turned: boolean, radius = RADIUS): string {
  return path(STEPS.map((_, n) => corner({ x: 0, y: 0 }, n, turned, radius)));
}

export function bounds(places: Place[], turned: boolean, margin = 0): Box {
  const points = places.flatMap((place) => STEPS.map((_, n) => corner(centre(place, turned), n, turned)));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** Outline a set of hexes: chain the sides that no two of them share, then inset the loops. */
export function outline(places: Place[], turned: boolean, inset = 0): string {
  const inside = new Set(places.map(({ x, y }) => `${x},${y}`));
  const next = new Map<string, [Point, Point]>();
  for (const place of places) {
    const middle = centre(place, turned);
    neighbours(place).forEach(({ x, y }, n) => {
      const from = corner(middle, n, turned);
      if (!inside.has(`${x},${y}`)) next.set(spot(from, turned), [from, corner(middle, n + 1, turned)]);
    });
  }
  return loops(next, turned)
    .map((loop) => path(loop.map((_, at) => shifted(loop, at, inset))))
    .join('');
}

function loops(next: Map<string, [Point, Point]>, turned: boolean): Point[][] {
  const found: Point[][] = [];
  for (const first of [...next.keys()]) {
    const loop: Point[] = [];
    for (let key = first, side = next.get(key); side; side = next.get(key)) {
      next.delete(key);
      loop.push(side[0]);
      key = spot(side[1], turned);
    }
    if (loop.length) found.push(loop);
  }
  return found;
}

/** A corner's key on the grid of corners, equal for all hexes that share it. */
function spot({ x, y }: Point, turned: boolean): string {
  const [across, along] = turned ? [y, x] : [x, y];
  return `${Math.round(across / HALF)} ${Math.round(along / (RADIUS / 2))}`;
}

function shifted(loop: Point[], at: number, inset: number): Point {
  const [before, point, after] = [loop.at(at - 1)!, loop[at]!, loop[(at + 1) % loop.length]!];
  const [one, two] = [inwards(before, point), inwards(point, after)];
  const by = inset / (1 + one.x * two.x + one.y * two.y);
  return { x: point.x + (one.x + two.x) * by, y: point.y + (one.y + two.y) * by };
}

function inwards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { x: (from.y - to.y) / length, y: (to.x - from.x) / length };
}

function path(points: Point[]): string {
  return `M${points.map(({ x, y }) => `${+x.toFixed(1)} ${+y.toFixed(1)}`).join('L')}Z`;
}

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';
const ARROWS: Record<Arrow, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The hex that an arrow key leads to: the nearest in that direction; ties alternate by row, to avoid drift. */
export function ahead<P extends Place>(from: Place, places: P[], arrow: string, turned: boolean): P | undefined {
  const way = ARROWS[arrow as Arrow];
  if (!way) return undefined;
  const start = centre(from, turned);
  const lean = from.y % 2 ? 1 : -1;
  const found = places.map((place) => {
    const to = centre(place, turned);
    const along = (to.x - start.x) * way.x + (to.y - start.y) * way.y;
    const aside = (to.x - start.x) * way.y + (to.y - start.y) * way.x;
    return { place, along, far: Math.abs(aside), cost: along + Math.abs(aside + lean) };
  });
  const fit = found.filter(({ along, far }) => along > 1 && far <= along * 1.01);
  return fit.sort((a, b) => a.cost - b.cost)[0]?.place;
}

/** A corner of the board's area, by CSS names. */
export type Corner = ['top' | 'bottom', 'left' | 'right'];
const CORNERS: Corner[] = [
  ['bottom', 'left'],
  ['bottom', 'right'],
  ['top', 'left'],
  ['top', 'right'],
];

/** The corner of the board where a box of this size covers the fewest hexes, other than the taken one. */
export function freeCorner(
  places: Place[],
  turned: boolean,
  box: Box,
  size: { width: number; height: number },
  taken: Corner | null = null,
): Corner {
  const hidden = ([side, end]: Corner): number => {
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    return places.filter((place) => {
      const { x, y } = centre(place, turned);
      const across = end === 'left' ? x - RADIUS < box.x + size.width : x + RADIUS > right - size.width;
      const along = side === 'top' ? y - RADIUS < box.y + size.height : y + RADIUS > bottom - size.height;
      return across && along;
    }).length;
  };
  const free = CORNERS.filter(([side, end]) => side !== taken?.[0] || end !== taken[1]);
  return free.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
}
