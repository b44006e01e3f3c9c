import { expect, test } from 'vitest';
import { spotFor } from '../../src/table/annotations/note_placement';

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const [NOTE, WINDOW] = [
  { wide: 360, tall: 100 },
  { wide: 1280, tall: 800 },
];

test('a note is placed below its target if that is free', () => {
  expect(spotFor(NOTE, [box(400, 100, 800, 300)], [], WINDOW)).toEqual({ left: 420, top: 314 });
});

test('it is placed above if the hand’s buttons are below', () => {
  const hand = [box(300, 700, 900, 790)];
  expect(spotFor(NOTE, [box(400, 400, 800, 680)], hand, WINDOW)).toEqual({ left: 420, top: 286 });
});

test('it is placed beside a target as high as the window, clear of text', () => {
  const [songs, players] = [box(480, 20, 960, 780), box(0, 0, 480, 300)];
  const { left, top } = spotFor(NOTE, [songs], [players], WINDOW);
  expect(left).toBe(106);
  expect(top).toBeGreaterThanOrEqual(300);
});

test('it covers the board rather than selectable cards', () => {
  const [note, phone] = [
    { wide: 360, tall: 90 },
    { wide: 390, tall: 844 },
  ];
  const row = (top: number, bottom: number, wide: number, count: number) =>
    Array.from({ length: count }, (_, at) => box(10 + at * (wide + 3), top, 10 + at * (wide + 3) + wide, bottom));
  const [zones, cards, characters] = [row(490, 633, 72, 5), row(652, 712, 43, 8), row(720, 780, 43, 3)];
  const others = [...zones, ...cards, ...characters];
  const { top } = spotFor(note, [characters[0]!], others, phone, [...cards, ...characters]);
  expect(top + note.tall).toBeLessThanOrEqual(652);
});

test('it stays inside the window', () => {
  const { left, top } = spotFor(NOTE, [box(0, 0, 390, 844)], [], { wide: 390, tall: 844 });
  expect([left >= 8, top >= 8, left + NOTE.wide <= 382, top + NOTE.tall <= 836]).toEqual([true, true, true, true]);
});
