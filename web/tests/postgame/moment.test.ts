import { expect, test, vi } from 'vitest';
import { parseMoment, momentUrl } from '../../src/postgame/share/moment';
import { Replay } from '../../src/postgame/replay.svelte';
import type { TableResponse } from '../../src/net/wire';
import { plainTableUi } from '../../src/plain';

const parts = (place: string): string[] => place.split('/').slice(3);

test.each([
  [0, null],
  [57, null],
  [12, 0],
  [12, 7],
])('step %s as seen by %s is read back from its address', (step, eyes) => {
  expect(parseMoment(...parts(momentUrl('abcdef', step, eyes)))).toEqual({ step, eyes });
});

test('an invalid address leads to the first step', () => {
  for (const bad of [[], ['x'], ['-1'], ['1e9'], ['NaN', 'seat-0'], ['', 'seat-x']])
    expect(parseMoment(...bad)).toEqual({ eyes: null });
});

const seen = {
  table: 'abcdef',
  game: 'bebop',
  seats: 2,
  avatars: [0, 1],
  you: { seat: null },
} as unknown as TableResponse;

test('the next scoring step is found from any step', () => {
  const ui = { ...plainTableUi('bebop'), scores: (view: unknown) => view as number[] };
  const replay = new Replay(seen, [[0, 0], [0, 0], [3, 0], [3, 0], [3, 1]], [], ui); // prettier-ignore
  replay.show(0);
  expect(replay.nextScore).toBe(2);
  replay.show(2);
  expect(replay.nextScore).toBe(4);
  replay.show(4);
  expect(replay.nextScore).toBeNull();
});

test('a step beyond the end is the last one', () => {
  const replay = new Replay(seen, [[0], [1]], [], plainTableUi('bebop'));
  replay.show(99);
  expect(replay.step).toBe(1);
  expect(replay.nextScore).toBeNull();
});

test('a replay as a seat has that seat’s view', () => {
  expect(new Replay(seen, [[0]], [], plainTableUi('bebop'), [], 1).table.me).toBe(1);
  expect(new Replay(seen, [[0]], [], plainTableUi('bebop')).table.me).toBeNull();
  vi.restoreAllMocks();
});
