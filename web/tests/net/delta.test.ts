import { expect, test } from 'vitest';
import { checksumOf, applyDelta, patch, type Change } from '../../src/net/delta';

const before = {
  view: { bag: 40, hands: [{ dice: ['red'] }, { dice: ['blue', 'green'] }], note: 'é' },
  actors: [0, 1],
};

test('values, places and parts change, and what was before stays as it was', () => {
  const change: Change = { view: { bag: [39], hands: { '1': { dice: [1, 1, ['black', 'white']] } } }, actors: [[1]] };
  const kept = JSON.stringify(before);
  expect(patch(before, change)).toEqual({
    view: { bag: 39, hands: [{ dice: ['red'] }, { dice: ['blue', 'black', 'white'] }], note: 'é' },
    actors: [1],
  });
  expect(JSON.stringify(before)).toBe(kept);
});

test('what has not changed is the same object', () => {
  const after = patch(before, { view: { bag: [39] } }) as typeof before;
  expect(after.view.hands).toBe(before.view.hands);
});

test('a name that is gone is gone', () => {
  expect(patch({ a: 1, b: 2 }, { a: [] })).toEqual({ b: 2 });
});

test('the check is the CRC-32 of the JSON', () => {
  expect(checksumOf(123456789)).toBe('cbf43926');
});

test('a change is followed only where it should lead', () => {
  const after = patch(before, { actors: [[1]] });
  expect(applyDelta(before, { actors: [[1]] }, checksumOf(after))).toEqual(after);
  expect(applyDelta(before, { actors: [[0]] }, checksumOf(after))).toBeNull();
  expect(applyDelta({ view: null }, { view: { hands: { '3': { dice: [['red']] } } } }, '00000000')).toBeNull();
});
