/** Runs a twin beside the page: searches, games from their set-up to the end, and calls of single loops. */
import { type Kind, type TwinArray, TwinModule } from './module';
import { carryOut, type Findings, type SearchRequest, type SearchTask, search } from './search';
import { Simulation } from './simulation';

export interface ArrayArgument {
  kind: Kind;
  shape: number[];
  bytes: Uint8Array;
}

export type Request =
  | { type: 'load'; code: ArrayBuffer }
  | { type: 'call'; loop: string; arguments: (ArrayArgument | number)[] }
  | { type: 'search'; request: SearchRequest }
  | { type: 'task'; task: SearchTask }
  | { type: 'play'; table: Uint8Array; games: number; seed: number; greedy: boolean; seconds: number };

export type Answer =
  | { type: 'loaded'; milliseconds: number }
  | { type: 'called'; result: number; arrays: Uint8Array[] }
  | { type: 'searched'; findings: Findings; milliseconds: number }
  | { type: 'done'; found: number[] | Findings }
  | { type: 'played'; moves: number; games: number; milliseconds: number; masks: Uint8Array; smalls: Uint8Array }
  | { type: 'failed'; reason: string };

let twin: TwinModule | null = null;

async function answer(request: Request): Promise<Answer> {
  if (request.type === 'load') {
    const began = performance.now();
    twin = await TwinModule.instantiate(request.code);
    return { type: 'loaded', milliseconds: performance.now() - began };
  }
  const loaded = twin;
  if (!loaded) throw new Error('No module has been loaded.');
  return loaded.scope(() => {
    if (request.type === 'search') return find(loaded, request);
    if (request.type === 'task') return { type: 'done', found: carryOut(loaded, request.task) };
    return request.type === 'call' ? call(loaded, request) : play(loaded, request);
  });
}

/** Call a loop, and return its arrays as they are afterwards. */
function call(loaded: TwinModule, request: Request & { type: 'call' }): Answer {
  const values = request.arguments.map((value) =>
    typeof value === 'number' ? value : loaded.array(value.kind, value.shape, value.bytes),
  );
  const result = loaded.call(request.loop, ...values);
  const arrays = values.filter((value): value is TwinArray => typeof value !== 'number');
  return { type: 'called', result, arrays: arrays.map((array) => array.bytes.slice()) };
}

function find(loaded: TwinModule, { request }: Request & { type: 'search' }): Answer {
  const began = performance.now();
  const findings = search(loaded, request);
  return { type: 'searched', findings, milliseconds: performance.now() - began };
}

/** Play batches of games, each with the next seed, until the time is over; return the rows of the last one. */
function play(loaded: TwinModule, request: Request & { type: 'play' }): Answer {
  const simulation = new Simulation(loaded, request.games, request.table);
  let [moves, batches, milliseconds] = [0, 0, 0];
  const began = performance.now();
  do {
    simulation.begin(request.seed + batches);
    moves += simulation.finish(request.greedy);
    batches += 1;
    milliseconds = performance.now() - began;
  } while (milliseconds < request.seconds * 1000);
  const [masks, smalls] = [simulation.masks.bytes.slice(), simulation.smalls.bytes.slice()];
  return { type: 'played', moves, games: batches * request.games, milliseconds, masks, smalls };
}

self.onmessage = ({ data, ports: [port] }: MessageEvent<Request>) => {
  answer(data)
    .catch((error: unknown): Answer => ({ type: 'failed', reason: String(error) }))
    .then((answered) => port?.postMessage(answered));
};
