/** A search by a game's twin, as in bots/search/native.py: the same seed and number of playouts find the same. */
import type { TwinArray, TwinModule } from './module';

/** As in bots/search/request.py. Arrays are the bytes of their elements. */
export interface SearchRequest {
  viewer: number;
  seats: number;
  table: Uint8Array;
  masks: Uint8Array;
  smalls: Uint8Array;
  guesses: Uint8Array;
  seed: number;
  use_beliefs: boolean;
  utility: number[];
  menu: Uint8Array;
  first: number;
  max_candidates: number;
  shuffle_ties: boolean;
  bonus: number;
  playouts: number | null;
  seconds: number | null;
}

/** As in bots/search/findings.py. */
export interface Findings {
  candidates: number[];
  best: number;
  remains: number[];
  progress: number[];
  values: Nested;
  by_seat: Nested;
}

type Nested = (number | Nested)[];

/** As in bots/search/tasks.py. */
export type SearchTask =
  | { type: 'shortlist'; request: SearchRequest }
  | {
      type: 'run';
      request: SearchRequest;
      candidates: number[];
      playouts: number | null;
      seconds: number | null;
      keep: number;
      bonuses: number[];
      first_world: number;
    };

/** Search among a shortlist of candidates until the budget is spent. */
export function search(twin: TwinModule, request: SearchRequest): Findings {
  const began = performance.now();
  const candidates = carryOut(twin, { type: 'shortlist', request }) as number[];
  const { playouts, bonus } = request;
  const seconds = request.seconds === null ? null : request.seconds - (performance.now() - began) / 1000;
  const run = { playouts, seconds, keep: 1, bonuses: [bonus], first_world: 0 };
  return carryOut(twin, { type: 'run', request, candidates, ...run }) as Findings;
}

export function carryOut(twin: TwinModule, task: SearchTask): number[] | Findings {
  const decision = decide(twin, task.request);
  return task.type === 'shortlist' ? shortlist(twin, decision, task.request) : run(twin, decision, task);
}

/** Search until `keep` candidates are left or the budget is spent; if `keep` is 0, none is dropped. */
function run(twin: TwinModule, decision: (TwinArray | number)[], task: SearchTask & { type: 'run' }): Findings {
  const began = performance.now();
  const { request, candidates, bonuses } = task;
  const { PROGRESS, OVER, WORLDS, PRODUCTS, BY_SEAT } = twin.description.search;
  const count = candidates.length;
  const remains = fill(twin.array('i8', [count]), Array(count).fill(1));
  const progress = twin.array('i8', [PROGRESS]);
  progress.values[WORLDS] = BigInt(task.first_world);
  const values = twin.array('f8', [count, PRODUCTS + count]);
  const bySeat = twin.array('f8', [count, request.seats, BY_SEAT]);
  const inputs = [
    fill(twin.array('f8', [request.utility.length]), request.utility),
    fill(twin.array('i8', [count]), candidates),
    fill(twin.array('f8', [count]), bonuses),
  ];
  const state = [remains, progress, values, bySeat];
  let [best, elapsed] = [0, 0];
  while (!progress.values[OVER] && elapsed < 1) {
    best = twin.call('search', ...decision, ...inputs, ...state, task.keep, task.playouts ?? 0, elapsed);
    elapsed = share((performance.now() - began) / 1000, task);
  }
  const [flags, counters, sums, sumsBySeat] = state.map(nested);
  return {
    candidates,
    best,
    remains: flags as number[],
    progress: counters as number[],
    values: sums as Nested,
    by_seat: sumsBySeat as Nested,
  };
}

/** The arguments that all loops of a search begin with: what the seat knows, and rows to play on. */
function decide(twin: TwinModule, request: SearchRequest): (TwinArray | number)[] {
  const { MASKS, SMALLS, CHANCE, SCRATCH } = twin.description.sizes;
  const words = (bytes: Uint8Array) => twin.array('i8', [bytes.length / 8], bytes);
  const known = [words(request.masks), twin.array('i2', [SMALLS], request.smalls), words(request.table)];
  const rows = [twin.array('i8', [2, MASKS]), twin.array('i2', [2, SMALLS]), twin.array('i8', [CHANCE])];
  const numbers = [request.viewer, request.seed, Number(request.use_beliefs)];
  return [...known, words(request.guesses), ...numbers, ...rows, twin.array('f8', [Math.max(SCRATCH, 1)])];
}

function shortlist(twin: TwinModule, decision: (TwinArray | number)[], request: SearchRequest): number[] {
  const size = request.menu.length;
  const [menu, priors] = [twin.array('b1', [size], request.menu), twin.array('f8', [size])];
  const candidates = twin.array('i8', [request.max_candidates]);
  const settings = [request.first, Number(request.shuffle_ties)];
  const count = twin.call('shortlist', ...decision, ...settings, menu, priors, candidates);
  return (nested(candidates) as number[]).slice(0, count);
}

/** The share of the time that is over; all of it if there is no limit at all. */
function share(since: number, { playouts, seconds }: { playouts: number | null; seconds: number | null }): number {
  if (seconds === null) return playouts ? 0 : 1;
  return since < seconds ? since / seconds : 1;
}

function fill(array: TwinArray, numbers: number[]): TwinArray {
  const values = array.values;
  for (const [at, number] of numbers.entries()) values[at] = values instanceof BigInt64Array ? BigInt(number) : number;
  return array;
}

/** The elements of an array as lists of lists. */
function nested(array: TwinArray): Nested {
  const divide = (numbers: number[], [, ...inner]: readonly number[]): Nested => {
    if (!inner.length) return numbers;
    const size = inner.reduce((product, length) => product * length, 1);
    return Array.from({ length: numbers.length / size }, (_, at) =>
      divide(numbers.slice(at * size, (at + 1) * size), inner),
    );
  };
  return divide(Array.from<number | bigint, number>(array.values, Number), array.shape);
}
