import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseBoard, stagesBeside } from '../model/board';

const source = (id: string): string => readFileSync(`src/jamboree/games/bebop/box/data/boards/${id}.txt`, 'utf-8');

// Counts as in the designer's notes: hexes, normal ones, VIP, stage spaces, stages, preprinted dice.
const COUNTS: Record<string, number[][]> = {
  vanillaville: [
    [55, 34, 4, 17, 9, 0],
    [81, 51, 6, 24, 13, 0],
    [107, 68, 8, 31, 17, 0],
  ],
  'cramped-valley': [
    [51, 30, 3, 18, 10, 0],
    [75, 45, 4, 26, 13, 0],
    [99, 60, 5, 34, 16, 0],
  ],
  longchain: [
    [52, 32, 3, 17, 8, 0],
    [78, 48, 5, 25, 11, 0],
    [104, 64, 7, 33, 14, 0],
  ],
  'point-city': [
    [59, 37, 4, 18, 10, 5],
    [86, 56, 5, 25, 14, 8],
    [113, 74, 7, 32, 18, 10],
  ],
};

describe.each(Object.keys(COUNTS))('the board of %s', (id) => {
  it.each([2, 3, 4])('has all its hexes with %i players', (players) => {
    const { hexes } = parseBoard(source(id), players);
    const count = (kind: string): number => hexes.filter((hex) => hex.kind === kind).length;
    const stages = new Set(hexes.map((hex) => hex.stage).filter(Boolean)).size;
    const dice = hexes.filter((hex) => hex.die).length;
    expect([hexes.length, count('normal'), count('vip'), count('stage'), stages, dice]).toEqual(
      COUNTS[id]![players - 2],
    );
  });

  it('has a name, an album and three colours', () => {
    const board = parseBoard(source(id), 4);
    expect(board.id).toBe(id);
    expect([board.name, board.tagline, board.album].every(Boolean)).toBe(true);
    expect(board.palette).toHaveLength(3);
    expect(board.rating).toBe(id === 'point-city' ? 15 : 12);
  });
});

it('names hexes by row and by their place in the whole row', () => {
  const names = parseBoard(source('vanillaville'), 2).hexes.map((hex) => hex.name);
  expect(names.slice(0, 5)).toEqual(['a2', 'a3', 'a4', 'a5', 'b3']);
});

it('reads preprinted dice', () => {
  const { at } = parseBoard(source('point-city'), 4);
  expect(at.get('a3')?.die).toEqual({ colour: 'yellow', face: 'brass' });
});

it('finds the stages beside a hex', () => {
  const board = parseBoard(source('vanillaville'), 4);
  expect(stagesBeside(board, board.at.get('a2')!)).toEqual(['A']);
  expect(stagesBeside(board, board.at.get('a3')!)).toEqual([]);
});
