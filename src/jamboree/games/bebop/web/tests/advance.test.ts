import { describe, expect, it } from 'vitest';
import { advance } from '../animation/advance';
import type { View } from '../model/wire';
import { steps } from './test_table';

const sorted = <T>(items: T[]): string[] => items.map((item) => JSON.stringify(item)).sort();

/** What is drawn of a view. */
function drawn(view: View): unknown {
  return {
    tiles: sorted(view.tiles),
    queue: view.queue,
    bag: view.bag,
    hands: view.hands.map(({ count, dice }) => ({ count, dice: dice && sorted(dice) })),
    supplies: view.supplies.map(({ basic, specials }) => ({ basic, specials: sorted(specials) })),
    rating: view.rating,
    tokens: view.tokens,
    points: view.points,
    stages: view.stages.map(({ stage, tokens, missing, paid }) => ({ stage, tokens, missing, paid })),
    families: sorted(view.families.map(({ colour, hexes, banner }) => ({ colour, hexes: hexes.toSorted(), banner }))),
  };
}

describe.each(['bebop-4', 'bebop-2'])('the events of %s', (name) => {
  const all = steps(name);

  it('reproduce every change between two views', () => {
    for (const [number, step] of all.entries()) {
      const before = all[number - 1]?.position.view;
      if (!before || !step.events.length) continue;
      const told = step.events.reduce(advance, before);
      expect(drawn(told), `step ${number}`).toEqual(drawn(step.position.view));
    }
    expect(all.length).toBeGreaterThan(90);
  });
});
