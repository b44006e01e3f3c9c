/** Runs tables in the page: Python in WebAssembly, with the modules of the server. Only one window at a time. */
import type { Findings, SearchTask } from '../twin/search';
import type { Answer, Request } from '../twin/worker';
import { Disk } from './disk';
import type { FromWorker, ToWorker } from './messages';

const LOCK = 'jamboree-tables';
const COMPRESSED = ['library.zip', 'app.zip', 'msgspec.whl', 'python.wasm'] as const; // `.gz`: a host may not compress

interface Files {
  sizes: Record<string, number>;
}

/** What is used of Pyodide. */
interface Python {
  unpackArchive(content: ArrayBuffer, format: string, options?: { extractDir: string }): void;
  runPython(code: string): unknown;
  pyimport(module: string): Server;
}

type Search = (worker: number, game: string, task: SearchTask) => Promise<number[] | Findings>;

interface PythonTuple {
  toJs(): unknown;
  destroy(): void;
}

/** `jamboree.server.page.worker`. */
interface Server {
  start(disk: Disk | null, search: Search): Promise<void>;
  request(
    method: string,
    path: string,
    query: string,
    actingAs: string,
    body: string | Uint8Array,
  ): Promise<PythonTuple>;
  connect(number: number, code: string, post: (number: number, frame: PythonTuple | undefined) => void): Promise<void>;
  receive(number: number, text: string): void;
  hang_up(number: number): Promise<void>;
}

const post = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });
let server: Promise<Server> | null = null;

/** Start once this window is the only one with the tables. */
async function start(folder: string): Promise<Server> {
  await owned();
  const { sizes } = (await (await fetch(`${folder}/files.json`)).json()) as Files;
  const progress = new Progress(sizes);
  const [library, app, msgspec, wasm] = await Promise.all(
    COMPRESSED.map((name) => download(`${folder}/${name}.gz`, progress)),
  );
  const python = await loadPython(folder, library!, wasm!);
  python.unpackArchive(msgspec!, 'wheel');
  python.unpackArchive(app!, 'zip', { extractDir: '/app' });
  python.runPython('import sys; sys.path.insert(0, "/app")');
  const module = python.pyimport('jamboree.server.page.worker');
  const disk = await Disk.open().catch(() => null);
  await module.start(disk, thinkers(folder));
  post({ type: 'ready', durable: disk !== null });
  return module;
}

/** Workers that carry out searches, by number and game; started when they are first needed. */
function thinkers(folder: string): Search {
  const loaded = new Map<string, Promise<Worker>>();
  const load = async (game: string): Promise<Worker> => {
    const worker = new Worker(`${folder}/thinker.js`);
    const module = await (await fetch(`${folder}/${game}.wasm`)).arrayBuffer();
    await ask(worker, { type: 'load', code: module });
    return worker;
  };
  return async (number, game, task) => {
    const key = `${number} ${game}`;
    if (!loaded.has(key)) loaded.set(key, load(game));
    const answer = await ask(await loaded.get(key)!, { type: 'task', task });
    if (answer.type !== 'done') throw new Error(answer.type === 'failed' ? answer.reason : answer.type);
    return answer.found;
  };
}

function ask(worker: Worker, request: Request): Promise<Answer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Answer>) => (port1.close(), resolve(data));
    worker.postMessage(request, [port2]);
  });
}

/** Wait until no other window of this browser runs tables; its lock is released when it is closed. */
function owned(): Promise<void> {
  const forEver = (): Promise<never> => new Promise(() => undefined);
  return new Promise((resolve) => {
    const own = (lock: Lock | null): Promise<never> | undefined => {
      if (!lock) return void post({ type: 'waiting' });
      resolve();
      return forEver();
    };
    void navigator.locks.request(LOCK, { ifAvailable: true }, own).then(() => navigator.locks.request(LOCK, own));
  });
}

/** Counts the bytes that have arrived, of all files. */
class Progress {
  private loaded = 0;
  private readonly total: number;

  constructor(sizes: Record<string, number>) {
    this.total = COMPRESSED.reduce((sum, name) => sum + (sizes[`${name}.gz`] ?? 0), 0);
  }

  add(bytes: number): void {
    this.loaded += bytes;
    post({ type: 'progress', loaded: Math.min(this.loaded, this.total), total: this.total });
  }
}

/** Download and decompress a file, unless the host did that. */
async function download(url: string, progress: Progress): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        progress.add(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  if (response.headers.get('content-encoding') !== null) return new Response(counted).arrayBuffer();
  return new Response(counted.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** Start Python from files that have been downloaded: its loader would ask for them uncompressed. */
async function loadPython(folder: string, library: ArrayBuffer, wasm: ArrayBuffer): Promise<Python> {
  const fetched: Record<string, () => Response> = {
    'pyodide.asm.wasm': () => new Response(wasm, { headers: { 'content-type': 'application/wasm' } }),
    'python_stdlib.zip': () => new Response(library),
  };
  const original = self.fetch;
  self.fetch = (input, init) => {
    const name = String(input instanceof Request ? input.url : input)
      .split('/')
      .at(-1)!;
    return fetched[name] ? Promise.resolve(fetched[name]()) : original(input, init);
  };
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}/pyodide.mjs`)) as {
      loadPyodide: (options: object) => Promise<Python>;
    };
    return await loadPyodide({ indexURL: `${folder}/`, lockFileURL: `${folder}/lock.json` });
  } finally {
    self.fetch = original;
  }
}

async function answer(data: ToWorker & { type: 'request' }): Promise<void> {
  const body = typeof data.body === 'string' ? data.body : new Uint8Array(data.body);
  const given = await (await server!).request(data.method, data.path, JSON.stringify(data.query), data.actingAs, body);
  const [ok, content] = given.toJs() as [boolean, Uint8Array<ArrayBuffer>];
  given.destroy();
  post({ type: 'answer', id: data.id, ok, body: content }, [content.buffer]);
}

/** Pass a frame on: text as text, and compressed frames as they are. */
function frame(number: number, frame: PythonTuple | undefined): void {
  if (!frame) return post({ type: 'closed', number });
  const bytes = frame.toJs() as Uint8Array<ArrayBuffer>;
  frame.destroy();
  post({ type: 'frame', number, data: new TextDecoder().decode(bytes) });
}

async function carryOut(data: ToWorker): Promise<void> {
  if (data.type === 'start') server ??= start(data.folder);
  else if (data.type === 'request') await answer(data);
  else if (data.type === 'connect') {
    await (await server!).connect(data.number, data.code, frame);
    post({ type: 'opened', number: data.number });
  } else if (data.type === 'send') (await server!).receive(data.number, data.text);
  else await (await server!).hang_up(data.number);
  await server;
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  carryOut(data).catch((error: unknown) => post({ type: 'failed', reason: String(error) }));
};
