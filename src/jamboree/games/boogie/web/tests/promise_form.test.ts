import { beforeEach, expect, it } from 'vitest';
import { Bench, benchAt } from './test_table';
import { settle } from '$tests/test_table';
import type { Jump, Term, View } from '../model/wire';

const THE_3: Jump = { number: 3, solo: null };
const SURE: Term = { pledge: 'sure', jump: THE_3, worth: 0 };
let bench: Bench;

beforeEach(() => {
  bench = benchAt('boogie-5', ({ position: { view } }) => view.phase === 'plane');
});

/** The offers after a promise was begun: what can be said, and by the other in exchange. */
function offers(...actions: [string, Term[]][]) {
  const plain = bench.store.position!.legal.filter((group) => ['SayReady', 'PromiseTo'].includes(group.action));
  const rows = actions.map(([action, terms]) => ({
    action,
    fields: ['term'],
    rows: terms.map((term) => [term]),
    cautions: {},
  }));
  return [...plain, ...rows];
}

function begun(to: number | null, asked: Term | null = null): (view: View) => Partial<View> {
  return (view) => ({ talk: [{ begun: 1, draft: { to, asked } }, ...view.talk.slice(1)] });
}

it('to everybody takes two actions', async () => {
  bench.model.promising.say({ jump: THE_3 });
  const made = bench.model.promising.make();
  await settle();
  expect(bench.acted).toEqual([{ type: 'PromiseTo', to: null }]);
  await bench.keep(begun(null), offers(['Promise', [SURE]]));
  expect(bench.acted[1]).toEqual({ type: 'Promise', term: SURE });
  await bench.keep((view) => ({ talk: [{ begun: 1, draft: null }, ...view.talk.slice(1)] }));
  expect(await made).toBe(true);
  expect(bench.model.promising.left).toBe(5);
});

it('to one player with terms in return takes three actions', async () => {
  const figures: Term = { pledge: 'figures', jump: THE_3, worth: 7 };
  const promising = bench.model.promising;
  promising.turnTo(2);
  promising.say({ jump: THE_3 });
  promising.want({ pledge: 'figures', jump: THE_3 });
  promising.want({ worth: 7 });
  void promising.make();
  await settle();
  await bench.keep(begun(2), offers(['Promise', [SURE]], ['AskInExchange', [figures]]));
  await bench.keep(begun(2, figures), offers(['Promise', [SURE]]));
  expect(bench.acted).toEqual([
    { type: 'PromiseTo', to: 2 },
    { type: 'AskInExchange', term: figures },
    { type: 'Promise', term: SURE },
  ]);
});

it('resumes after a lost connection', async () => {
  bench.step(begun(3), offers(['Promise', [SURE]]));
  await settle();
  expect(bench.model.promising.to).toBe(3);
  bench.model.promising.say({ jump: THE_3 });
  void bench.model.promising.make();
  await settle();
  expect(bench.acted).toEqual([{ type: 'Promise', term: SURE }]);
});

it('offers my presence only on possible jumps, and figures on all', () => {
  const jumps = (pledge: Term['pledge'], seat: number) =>
    bench.model.promising.jumps(pledge, seat).map((jump) => jump.solo ?? `the ${jump.number}`);
  expect(jumps('sure', 0)).toEqual(['the 2', 'the 3', 'the 4', 0]);
  expect(jumps('out', 2)).toEqual(['the 2', 'the 3', 'the 4', 2]);
  expect(jumps('figures', 0)).toEqual(['the 2', 'the 3', 'the 4', 0, 1, 2, 3, 4]);
});

it('keeps a term valid when its kind changes', () => {
  const promising = bench.model.promising;
  promising.say({ pledge: 'harmless' });
  promising.say({ jump: { number: 1, solo: 3 } });
  promising.say({ pledge: 'sure' });
  expect(promising.mine).toEqual({ pledge: 'sure', jump: { number: 2, solo: null }, worth: 0 });
  promising.say({ pledge: 'figures' });
  expect(promising.mine.worth).toBeGreaterThan(0);
});

it('leaves the awaited players those who are not ready', async () => {
  bench.store.you = { person: null, seat: null };
  bench.step(() => ({ ready: [1, 2, 3, 4] }), []);
  await settle();
  expect(bench.table.prompt).toBe(`Waiting for ${bench.store.nameOf(0)}`);
});

it('is closed for a ready player', async () => {
  bench.step(() => ({ ready: [0] }));
  await settle();
  expect(bench.model.promising.possible).toBe(false);
});

it('drops a promise begun in another phase', async () => {
  void bench.model.promising.make();
  await settle();
  const ready = bench.model.sayReady();
  await bench.keep(() => ({ phase: 'preparation', jumprun: 2 }), offers());
  expect(await ready).toBe(false);
  expect(bench.acted).toEqual([{ type: 'PromiseTo', to: null }]);
});
