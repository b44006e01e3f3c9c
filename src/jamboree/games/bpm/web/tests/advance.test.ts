import { describe, expect, it } from 'vitest';
import type { Update } from './test_table';
import { updates } from '$tests/test_table';
import { settle, type Piece } from '../model/pieces';
import { advance, type Staged } from '../animation/advance';
import type { Event, Spot, View } from '../model/wire';

const spots = (pieces: Piece[]): Spot[] =>
  pieces
    .map(({ cell, dancer, fan_of }) => ({ cell, dancer, fan_of }))
    .sort((one, other) => (one.cell < other.cell ? -1 : 1));

/** What a story has told by its end. */
function toldOf(view: View): Partial<View> {
  const { round, card, ball, order, tokens, playing } = view;
  return { round, card, ball, order: [...order], tokens, playing };
}

describe.each(['bpm-4', 'bpm-2'])('the events of %s', (name) => {
  const frames = updates<View, Event>(name);
  const steps = frames.slice(1).map((frame, at) => [frames[at]!, frame] as [Update, Update]);

  it('reproduce every change of the floor', () => {
    for (const [before, after] of steps) {
      const view = before.position.view;
      let staged: Staged = { ...view, pieces: settle([], view.floor) };
      for (const event of after.events) staged = advance(staged, event, after.position.view);
      expect(spots(staged.pieces)).toEqual(spots(settle([], after.position.view.floor)));
    }
  });

  it('reproduce every other change of the table', () => {
    for (const [before, after] of steps) {
      const view = before.position.view;
      let staged: Staged = { ...view, pieces: [] };
      for (const event of after.events) staged = advance(staged, event, after.position.view);
      const over = after.position.view.phase === 'over';
      if (!over) expect(toldOf(staged)).toEqual(toldOf(after.position.view));
      const counts = (seen: View): number[] => seen.superfans.map((fans) => fans.length);
      expect(counts(staged)).toEqual(counts(after.position.view));
    }
  });
});

describe('a dancer', () => {
  const dancer = { colour: 'red', arrow: 'left' };
  const other = { colour: 'blue', arrow: 'left' };

  it('keeps its identity if it did not move', () => {
    const before = settle([], [{ cell: 'a1', dancer, fan_of: null }]);
    const [after] = settle(before, [{ cell: 'a1', dancer, fan_of: 2 }]);
    expect(after).toEqual({ ...before[0], fan_of: 2 });
  });

  it('has another identity if another dancer stands there', () => {
    const before = settle([], [{ cell: 'a1', dancer, fan_of: null }]);
    const [after] = settle(before, [{ cell: 'a1', dancer: other, fan_of: null }]);
    expect(after!.id).not.toBe(before[0]!.id);
  });
});
