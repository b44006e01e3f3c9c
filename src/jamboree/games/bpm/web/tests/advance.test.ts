import { describe, expect, it } from 'vitest';
import { Bench, type Update } from './bench';
import { updates } from '$tests/bench';
import { settle, type Piece } from '../model/pieces';
import { advance, type Staged } from '../story/advance';
import { tell } from '../story/tell';
import type { BpmScene, Event, Spot, View } from '../model/wire';

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

  it('explain how every floor came out of the one before', () => {
    for (const [before, after] of steps) {
      const view = before.position.view;
      let staged: Staged = { ...view, pieces: settle([], view.floor) };
      for (const event of after.events) staged = advance(staged, event, after.position.view);
      expect(spots(staged.pieces)).toEqual(spots(settle([], after.position.view.floor)));
    }
  });

  it('explain the rest of the table as well', () => {
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

  it('stays the same one where it stood', () => {
    const before = settle([], [{ cell: 'a1', dancer, fan_of: null }]);
    const [after] = settle(before, [{ cell: 'a1', dancer, fan_of: 2 }]);
    expect(after).toEqual({ ...before[0], fan_of: 2 });
  });

  it('is another one where somebody else stands now', () => {
    const before = settle([], [{ cell: 'a1', dancer, fan_of: null }]);
    const [after] = settle(before, [{ cell: 'a1', dancer: other, fan_of: null }]);
    expect(after!.id).not.toBe(before[0]!.id);
  });
});

/** A stage on which nothing takes time, and all that is heard and waited for is written down. */
function scene(bench: Bench, after: View, moving: boolean): BpmScene & { heard: string[] } {
  const heard: string[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const acts = { fly: nothing, rise: nothing, pulse: nothing, animate: nothing, at: () => null, show: () => undefined };
  const wait = (): Promise<void> => {
    const drop = bench.model.drop;
    if (drop) heard.push(drop.order ? 'in order' : `count ${drop.count}`);
    return Promise.resolve();
  };
  return { before: bench.table.view, after, moving, ...acts, wait, sound: (name) => heard.push(name), heard };
}

describe('the Drop', () => {
  const dropped = ({ events }: Update): boolean => events.some((event) => event.type === 'SongsDropped');
  const steps = updates<View, Event>('bpm-4');
  const step = steps.find(dropped)!;
  const cued = (_: View, frame: Update): boolean => steps[steps.indexOf(frame) + 1] === step;

  async function show(moving: boolean): Promise<{ bench: Bench; heard: string[] }> {
    const bench = new Bench('bpm-4', cued);
    const stage = scene(bench, step.position.view, moving);
    for (const event of step.events) await tell(event as Event, stage, bench.table, bench.model);
    return { bench, heard: stage.heard };
  }

  it('counts 3, 2, 1, turns all songs over, and puts them in order', async () => {
    const { bench, heard } = await show(true);
    expect(heard).toEqual(['riser', 'count 3', 'count 2', 'count 1', 'drop', 'count 0', 'in order']);
    expect(bench.model.drop).toBeNull();
    expect(bench.model.view.order).toEqual(step.position.view.order);
  });

  it.each([true, false])('has my song on the table, not in my hand (motion: %s)', async (moving) => {
    const bench = new Bench('bpm-4', cued);
    const hands: number[] = [];
    const stage = scene(bench, step.position.view, moving);
    const wait = stage.wait;
    const counting: typeof stage = { ...stage, wait: (...how) => (hands.push(bench.model.hand.length), wait(...how)) };
    const before = bench.model.hand.length;
    for (const event of step.events) await tell(event as Event, counting, bench.table, bench.model);
    expect(hands).toEqual(moving ? Array(5).fill(before - 1) : []);
    expect(bench.model.hand).toEqual(step.position.view.hands[0]!.songs);
  });

  it('is no show without motion, but the songs lie there', async () => {
    const { bench, heard } = await show(false);
    expect(heard).toEqual([]);
    expect(bench.model.drop).toBeNull();
    expect(bench.model.view.playing).toEqual(step.position.view.playing);
  });
});

describe('the Power Cut', () => {
  it('stops the record', async () => {
    const bench = new Bench('bpm-4', (view) => view.phase === 'cue');
    const after = { ...bench.table.view, card: 'power-cut', bends: ['moves', 'breaks'] };
    const stage = scene(bench, after, true);
    await tell({ type: 'HypeRevealed', card: 'power-cut', seat: null, under: null }, stage, bench.table, bench.model);
    expect(stage.heard).toContain('stop');
  });
});
