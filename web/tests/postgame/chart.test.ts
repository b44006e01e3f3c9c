import { expect, test } from 'vitest';
import { spread, lines, scaleOf, ticks } from '../../src/postgame/chart';

test('steps go from left to right, the highest points on top', () => {
  const history = [
    [0, 0],
    [5, 2],
    [10, 4],
  ];
  expect(lines(history, scaleOf(history, 100, 50))).toEqual([
    { path: 'M0.0 50.0L50.0 25.0L100.0 0.0', end: 0 },
    { path: 'M0.0 50.0L50.0 40.0L100.0 30.0', end: 30 },
  ]);
});

test('negative points are on the chart', () => {
  const history = [[0], [-4]];
  const [line] = lines(history, scaleOf(history, 10, 50));
  expect(line!.end).toBe(50);
});

test('symbols keep their order and do not overlap', () => {
  expect(spread([30, 10, 12], 20)).toEqual([50, 10, 30]);
});

test.each([
  [0, 47, 4, [0, 20, 40]],
  [0, 9, 4, [0, 5]],
  [-7, 12, 4, [-5, 0, 5, 10]],
  [0, 1, 4, [0, 1]],
  [0, 130, 4, [0, 50, 100]],
])('the axis from %i to %i has about %i round numbers', (low, high, about, numbers) => {
  expect(ticks(low, high, about)).toEqual(numbers);
});

test('symbols at the line ends do not overlap and stay on the chart', () => {
  expect(spread([90, 10, 95], 20)).toEqual([90, 10, 110]);
  expect(spread([100, 0, 100, 100], 20, 110)).toEqual([70, 0, 90, 110]);
});
