import { expect, it } from 'vitest';
import { boardOf, stagesBeside } from '../model/board';
import { steps } from './test_table';

const board = boardOf(steps('bebop-4')[0]!.position.view.festival);

it('finds hexes by their names', () => {
  expect(board.hexes).toHaveLength(107);
  expect(board.at.get('a2')).toMatchObject({ name: 'a2', y: 0, kind: 'normal' });
});

it('finds the stages adjacent to a hex', () => {
  expect(stagesBeside(board, board.at.get('a2')!)).toEqual(['A']);
  expect(stagesBeside(board, board.at.get('a3')!)).toEqual([]);
});
