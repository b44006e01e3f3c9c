/** The awards of a finale: the biggest liar and the best partners, with ties. */
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '$lib/contract';
import { bestPartners, biggestLiars } from '../model/finale';

const honesty = (...broken: number[]): { kept: number; broken: number; void: number }[] =>
  broken.map((count) => ({ kept: 2, broken: count, void: 1 }));

describe('the biggest liar', () => {
  it('broke most promises', () => {
    expect(biggestLiars({ honesty: honesty(1, 5, 0) })).toEqual({ seats: [1], broken: 5, promises: [7] });
  });
  it('is several in a tie', () => {
    expect(biggestLiars({ honesty: honesty(3, 0, 3) }).seats).toEqual([0, 2]);
  });
  it('is nobody in an honest crowd', () => {
    expect(biggestLiars({ honesty: honesty(0, 0, 0) }).seats).toEqual([]);
  });
});

describe('the best partners', () => {
  const jump = (points: number, ...jumpers: number[]): LogEntry => ({
    seq: 1,
    index: 0,
    seat: null,
    text: 'A jump.',
    undone: false,
    event: { type: 'JumpScored', jump: { kind: 'formation', number: 2 }, result: 'success', jumpers, points } as never,
  });

  it('have most points from the same jumps', () => {
    const log = [jump(5, 0, 1), jump(4, 1, 2), jump(3, 1, 0, 2), jump(0, 2, 0)];
    expect(bestPartners(log)).toEqual({ pairs: [[0, 1]], jumps: 2, points: 8 });
  });
  it('are all pairs of one jump', () => {
    expect(bestPartners([jump(6, 2, 0, 1)])?.pairs).toHaveLength(3);
  });
  it('are nobody if no two scored together', () => {
    expect(bestPartners([jump(6, 2), { ...jump(5, 0, 1), undone: true }])).toBeNull();
  });
});
