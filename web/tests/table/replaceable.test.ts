import { cleanup } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import ui from '../../../src/jamboree/games/bpm/web';
import type { BpmModel } from '../../../src/jamboree/games/bpm/web/model/model.svelte';
import type { Action, Event, View } from '../../../src/jamboree/games/bpm/web/model/wire';
import Inspector from '../../src/table/Inspector.svelte';
import { Bench, stepOf } from '../test_table';

const CUE = stepOf<View, Event>(
  'bpm-4',
  ({ position }) => position.view.phase === 'cue' && position.legal.some((offer) => offer.action === 'CueSong'),
);

test('a secret choice is described as final only where it can no longer be replaced', async () => {
  const bench = new Bench(ui as never, 'bpm-4', CUE.position) as Bench<View, Action, Event, BpmModel>;
  vi.spyOn(bench, 'request').mockResolvedValue({
    ...{ type: 'preview', id: '', events: [], sentences: [], points: [0, 0, 0, 0], chance_follows: false },
    undo: 'never',
  } as Awaited<ReturnType<Bench<View, Action, Event, BpmModel>['request']>>);
  const seal = (change: Partial<View['sealed'][number]>, others: boolean): void =>
    bench.change(({ sealed }) => ({
      sealed: sealed.map((one, seat) => (seat ? { ...one, done: others } : { ...one, ...change })),
    }));
  const said = async (): Promise<string> => {
    bench.table.consider(bench.table.offers('CueSong')[0]!);
    await vi.waitUntil(() => bench.table.intentPreview);
    const text = bench.draw(Inspector).textContent;
    bench.table.consider(null);
    cleanup();
    return text;
  };
  seal({ done: false, slots: null, changes: 3 }, false);
  expect(await said(), 'others still choose').not.toContain("can't be taken back");
  seal({ done: true, slots: [6], changes: 1 }, false);
  expect(await said(), 'the last change').toContain("can't be taken back");
  expect(ui.handLine!(bench.table, bench.model)).toContain('Press another');
  seal({ done: true, slots: [6], changes: 0 }, false);
  expect(ui.handLine!(bench.table, bench.model)).toContain('and stays');
  seal({ done: false, slots: null, changes: 3 }, true);
  expect(await said(), 'all others have chosen').toContain("can't be taken back");
});
