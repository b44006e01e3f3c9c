import { expect, test } from 'vitest';
import { verify, type Journal } from '../../src/postgame/verify';

/** The numbers of docs/fairness.md: the first open pick among six is 3. */
const journal = (index: number): Journal => ({
  setup: [{ stream: 'open', n: 6, index, value: 'a die' }],
  entries: [],
  fairness: [
    {
      since: 0,
      commitment: 'ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5',
      secret: '0000000000000000000000000000000000000000000000000000000000000001',
      seeds: ['ab', '', 'cd'],
    },
  ],
});

test('a draw that follows from the seeds is accepted', async () => {
  expect(await verify(journal(3))).toEqual({ draws: 1, wrong: null, bound: true });
});

test('a draw that does not follow from the seeds is found', async () => {
  expect(await verify(journal(4))).toEqual({ draws: 1, wrong: 0, bound: true });
});

test('a seed without commitment is reported', async () => {
  const forged = journal(3);
  forged.fairness[0]!.commitment = forged.fairness[0]!.commitment.replace('e', 'f');
  expect((await verify(forged)).bound).toBe(false);
});

test('a part of the game without seeds is skipped', async () => {
  expect((await verify({ ...journal(3), fairness: [] })).bound).toBe(false);
});
