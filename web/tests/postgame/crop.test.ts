import { expect, test } from 'vitest';
import { cropFor } from '../../src/postgame/review/crop';

const PICTURE = { x: 0, y: 0, width: 400, height: 200 };
const BOARD = { x: 0, y: 0, width: 800, height: 400 };

test('without places the whole board is shown', () => {
  expect(cropFor(BOARD, PICTURE, [])).toEqual({ scale: 0.5, x: 0, y: 0 });
  expect(cropFor({ ...BOARD, height: 200 }, PICTURE, [])).toEqual({ scale: 0.5, x: 0, y: 50 });
});

test('one place is enlarged and centred', () => {
  const cut = cropFor(BOARD, PICTURE, [{ x: 390, y: 190, width: 20, height: 20 }]);
  expect(cut).toEqual({ scale: 1, x: -200, y: -100 });
});

test('the picture does not exceed the board', () => {
  const corner = cropFor(BOARD, PICTURE, [{ x: 0, y: 380, width: 20, height: 20 }]);
  expect(corner).toEqual({ scale: 1, x: 0, y: -200 });
});

test('distant places are all in the picture', () => {
  const places = [
    { x: 100, y: 20, width: 20, height: 20 },
    { x: 600, y: 200, width: 20, height: 20 },
  ];
  const { scale, x, y } = cropFor(BOARD, PICTURE, places);
  expect(scale).toBeGreaterThan(0.5);
  for (const place of places) {
    expect(place.x * scale + x).toBeGreaterThanOrEqual(0);
    expect((place.x + place.width) * scale + x).toBeLessThanOrEqual(PICTURE.width);
    expect(place.y * scale + y).toBeGreaterThanOrEqual(0);
    expect((place.y + place.height) * scale + y).toBeLessThanOrEqual(PICTURE.height);
  }
});
