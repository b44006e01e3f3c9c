import { expect, test } from 'vitest';
import { checksumOf, applyDelta, patch, type Change } from '../../src/net/delta';

const before = {
  view: { bag: 40, hands: [{ dice: ['red'] }, { dice: ['blue', 'green'] }], note: 'é' },
  actors: [0, 1],
};

test('a delta replaces values, splices arrays and changes members, without modifying the old position', () => {
  const change: Change = { view: { bag: [39], hands: { '1': { dice: [1, 1, ['black', 'white']] } } }, actors: [[1]] };
  const kept = JSON.stringify(before);
  expect(patch(before, change)).toEqual({
    view: { bag: 39, hands: [{ dice: ['red'] }, { dice: ['blue', 'black', 'white'] }], note: 'é' },
    actors: [1],
  });
  expect(JSON.stringify(before)).toBe(kept);
});

test('unchanged parts are the same objects', () => {
  const after = patch(before, { view: { bag: [39] } }) as typeof before;
  expect(after.view.hands).toBe(before.view.hands);
});

test('a removed member is absent', () => {
  expect(patch({ a: 1, b: 2 }, { a: [] })).toEqual({ b: 2 });
});

test('the checksum is the CRC-32 of the JSON', () => {
  expect(checksumOf(123456789)).toBe('cbf43926');
});

test('a delta with a wrong checksum is rejected', () => {
  const after = patch(before, { actors: [[1]] });
  expect(applyDelta(before, { actors: [[1]] }, checksumOf(after))).toEqual(after);
  expect(applyDelta(before, { actors: [[0]] }, checksumOf(after))).toBeNull();
  expect(applyDelta({ view: null }, { view: { hands: { '3': { dice: [['red']] } } } }, '00000000')).toBeNull();
});
