/** Tables without a server: they run in a worker of this page, and answer as a server would. */
import { absoluteUrl, fileUrl, request, type Part, type Query, type Url } from '$lib/urls';
import type { Socket } from '../net/connection.svelte';
import type { FromWorker, PageRequest, ToWorker } from './messages';

const FOLDER = document.querySelector<HTMLMetaElement>('meta[name=tables]')?.content ?? '';
const TEXT = /^games(\/\w+\/(rules|examples|lessons))?$/; // written by the build, so that Python need not start

/** Whether this page has no server, and runs its tables itself. */
export const alone = FOLDER !== '';

type Answer = FromWorker & { type: 'answer' };

class PageServer {
  state = $state<'idle' | 'loading' | 'waiting' | 'ready' | 'failed'>('idle');
  durable = $state(true); // false: the browser stores nothing, so that games are gone when the page is closed
  loaded = $state(0);
  total = $state(0);
  awaited = $state<string | null>(null); // the game that somebody waits to play, as far as known; null: nobody waits
  private worker: Worker | null = null;
  private numbers = 0;
  private readonly answers = new Map<number, (answer: Answer) => void>();
  private readonly sockets = new Map<number, PageSocket>();

  /** Answer a request of the API. */
  async respond(
    method: string,
    path: readonly Part[],
    query: Query,
    actingAs: string,
    body: unknown,
  ): Promise<Response> {
    const name = path.join('/');
    if (method === 'GET' && TEXT.test(name)) return request(textUrl(path, query));
    if (method === 'GET' && name === 'tables') return Response.json([]); // nobody else can join
    const content = body instanceof Blob ? await body.arrayBuffer() : body === undefined ? '' : JSON.stringify(body);
    if (method === 'POST') this.await(gameOf(path, body));
    const answer = await this.ask({ method, path: name, query: asTexts(query), actingAs, body: content });
    return new Response(answer.body, { status: answer.ok ? 200 : 400 });
  }

  /** A connection to a table, in place of a socket. */
  connect(code: string): Socket {
    const number = (this.numbers += 1);
    const socket = new PageSocket(
      (text) => this.post({ type: 'send', number, text }),
      () => this.post({ type: 'hang-up', number }),
    );
    this.sockets.set(number, socket);
    this.post({ type: 'connect', number, code });
    return socket;
  }

  /** Wait no longer: the tables go on loading in the background. */
  dismiss(): void {
    this.awaited = null;
  }

  /** Show how loading goes, since somebody waits for it. */
  await(game = ''): void {
    if (this.state !== 'ready') this.awaited = this.awaited || game;
  }

  private ask(request: PageRequest): Promise<Answer> {
    return new Promise((resolve) => {
      const id = (this.numbers += 1);
      this.answers.set(id, resolve);
      this.post({ type: 'request', id, ...request });
    });
  }

  private post(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    this.state = 'loading';
    const worker = new Worker(fileUrl(FOLDER, 'worker.js'), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = () => void (this.state = 'failed');
    const start: ToWorker = { type: 'start', folder: absoluteUrl(fileUrl(FOLDER)) };
    worker.postMessage(start);
    return worker;
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case 'progress':
        this.state = 'loading';
        [this.loaded, this.total] = [message.loaded, message.total];
        break;
      case 'waiting':
        this.state = 'waiting';
        break;
      case 'ready':
        this.state = 'ready';
        this.awaited = null;
        this.durable = message.durable;
        if (message.durable) void navigator.storage?.persist?.(); // the browser is asked not to clear its tables
        break;
      case 'failed':
        if (this.state !== 'ready') this.state = 'failed';
        console.error(message.reason);
        break;
      case 'answer':
        this.answers.get(message.id)?.(message);
        this.answers.delete(message.id);
        break;
      case 'opened':
        this.sockets.get(message.number)?.opened();
        break;
      case 'frame':
        this.sockets.get(message.number)?.arrived(message.data);
        break;
      case 'closed':
        this.sockets.get(message.number)?.closed();
        this.sockets.delete(message.number);
    }
  }
}

/** What the client uses of a WebSocket. */
class PageSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  binaryType: BinaryType = 'arraybuffer';

  constructor(
    readonly send: (text: string) => void,
    readonly close: () => void,
  ) {}

  opened = (): unknown => this.onopen?.call(this as never, new Event('open'));
  arrived = (data: string): unknown => this.onmessage?.call(this as never, { data } as MessageEvent);
  closed = (): unknown => this.onclose?.call(this as never, new CloseEvent('close'));
}

function gameOf(path: readonly Part[], body: unknown): string {
  return path[0] === 'games' ? String(path[1]) : ((body as { game?: string } | undefined)?.game ?? '');
}

function asTexts(query: Query): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

function textUrl(path: readonly Part[], { language, course }: Query): Url {
  const folders = path.slice(0, -1).map(String);
  const name = [path.at(-1), course, language, 'json'].filter(Boolean).join('.');
  return fileUrl(FOLDER, 'texts', ...folders, name);
}

export const pageServer = new PageServer();
