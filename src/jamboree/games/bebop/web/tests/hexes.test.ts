import { describe, expect, it } from 'vitest';
import type { Point } from '$lib/pointer';
import { ahead, bounds, centre, freeCorner, hexPath, outline, type Place } from '../board/hexes';

const ONE: Place[] = [{ x: 0, y: 0 }];
const RING: Place[] = [
  [2, 0],
  [1, 1],
  [-1, 1],
  [-2, 0],
  [-1, -1],
  [1, -1],
].map(([x, y]) => ({ x: x!, y: y! }));

const points = (path: string): Point[] =>
  [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

function area(loop: string): number {
  const at = points(loop);
  return at.reduce((sum, p, n) => sum + (p.x * at[(n + 1) % at.length]!.y - at[(n + 1) % at.length]!.x * p.y) / 2, 0);
}

describe.each([false, true])('hexes, turned: %s', (turned) => {
  it('keeps neighbours at the same distance', () => {
    const zero = centre(ONE[0]!, turned);
    const far = RING.map((place) => Math.hypot(centre(place, turned).x - zero.x, centre(place, turned).y - zero.y));
    for (const distance of far) expect(distance).toBeCloseTo(86.6, 1);
  });

  it('outlines one hex by its six corners', () => {
    expect(points(outline(ONE, turned))).toHaveLength(6);
    expect(area(outline(ONE, turned))).toBeCloseTo(area(hexPath(turned)), 0);
  });

  it('outlines two hexes by ten corners, with twice the area', () => {
    const path = outline([...ONE, RING[0]!], turned);
    expect(points(path)).toHaveLength(10);
    expect(area(path)).toBeCloseTo(2 * area(hexPath(turned)), -1);
  });

  it('outlines a ring by two loops, the inner one the other way round', () => {
    const loops = outline(RING, turned).split('Z').filter(Boolean);
    expect(loops).toHaveLength(2);
    const [outer, inner] = loops.map(area).sort((a, b) => b - a);
    expect(outer).toBeCloseTo(7 * area(hexPath(turned)), -2);
    expect(inner).toBeCloseTo(-area(hexPath(turned)), -1);
  });

  it('moves an outline inwards, from both sides', () => {
    expect(area(outline(ONE, turned, 4))).toBeLessThan(area(outline(ONE, turned)));
    const [, inner] = outline(RING, turned, 4)
      .split('Z')
      .filter(Boolean)
      .map(area)
      .sort((a, b) => b - a);
    expect(inner).toBeLessThan(-area(hexPath(turned)));
  });

  it('moves with the arrow keys to a neighbour and back', () => {
    const all = [...ONE, ...RING];
    for (const [there, back] of [
      ['ArrowLeft', 'ArrowRight'],
      ['ArrowUp', 'ArrowDown'],
    ]) {
      const next = ahead(ONE[0]!, all, there!, turned)!;
      expect(RING).toContain(next);
      expect(ahead(next, all, back!, turned)).toBeDefined();
    }
    expect(ahead(ONE[0]!, all, 'Enter', turned)).toBeUndefined();
  });
});

it('is wider in landscape than in portrait', () => {
  const row = Array.from({ length: 5 }, (_, n) => ({ x: 2 * n, y: 0 }));
  expect(bounds(row, false).width).toBeCloseTo(bounds(row, true).height, 3);
  expect(bounds(row, false).height).toBeCloseTo(bounds(row, true).width, 3);
});

it('finds the corner where a caption covers the fewest hexes', () => {
  const rows = ['  x x', ' x x x', 'x x x x'];
  const places = rows.flatMap((row, y) => [...row.matchAll(/x/g)].map(({ index }) => ({ x: index, y })));
  const box = bounds(places, false);
  expect(freeCorner(places, false, box, { width: 60, height: 60 })).toEqual(['top', 'left']);
  const open = places.filter(({ x, y }) => y < 2 || x > 2);
  expect(freeCorner(open, false, bounds(open, false), { width: 80, height: 40 })[0]).toBe('bottom');
});
