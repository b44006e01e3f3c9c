/** A reconnecting WebSocket: unanswered requests are resent, missed steps are replayed. */
import { followed } from './delta';
import { newId } from './random_id';
import { Repertoire } from './legal_actions';
import { canUnpack, inOrder } from './decompression';
import { ServerClock } from './server_clock';
import type { Answer, Asking, Frame, ChatMessage, News, Post, Refusal, Sent, SentPosition, SentWelcome } from './wire';

/** What is used of a WebSocket, so that tests can bring their own. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close' | 'binaryType'>;

export interface Listener {
  hear(news: News): void;
  readonly seq: number; // the last number heard, 0 before the first
  readonly lines: ChatMessage[];
}

/** As whom a line comes from a device that several people share; nobody: it shows what everybody may see. */
export interface Shared {
  person: string | null;
}

interface Asked {
  message: Asking;
  resolve: (answer: Answer) => void;
  known: Set<string>; // the lines of talk there were when it was asked
}

const WISHES = canUnpack ? { packed: true } : {};
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;
const BEAT = 15_000; // ms between pings
const SILENCE = 8_000; // ms after a ping without a word: the line is dead, whatever the browser thinks
const LONGEST_SILENCE = 64_000; // or it is slow: after each that was given up the next has twice the time, up to this
const SOUNDINGS = 5; // pings by which a device at a party finds out what the server's clock shows
const SOUNDING = 150; // ms between them
const MANY = 60; // messages in WINDOW after which nothing more is previewed; the table allows 100 in all
const WINDOW = 20_000;
const PASSING = ['not-saved', 'table-stopped', 'broken', 'too-fast', 'crowded', 'no-hello']; // refusals worth another try
const FAREWELLS = ['removed', 'banned', 'locked', 'no-spectators', 'join-to-watch', 'signed-out']; // there is no coming back after these

export class Connection implements Post {
  state = $state<Post['state']>('connecting');
  refusal = $state.raw<Refusal | null>(null);
  restarting = $state(false); // the server said bye
  private socket: Socket | null = null;
  private readonly asked = new Map<string, Asked>();
  private pause = FIRST_PAUSE;
  private patience = SILENCE;
  private asking = 0; // since when an answer is waited for
  private retry: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private recent: number[] = [];
  private ended = false;
  private held: SentPosition | null = null; // what the next change is about
  private repertoire = new Repertoire();
  private astray = false; // it does not fit, and everything was asked for anew
  private readonly clock = new ServerClock();
  private soundings: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly connect: () => Socket,
    private readonly listener: Listener,
    private readonly language: () => string,
    private readonly painted: () => boolean = () => false,
    private readonly shared: Shared | null = null,
    private readonly screen = false, // a big one, which is nobody
  ) {}

  start(): void {
    this.ended = false;
    this.dial();
  }

  end(): void {
    this.ended = true;
    this.hangUp();
    this.settleAll();
  }

  /** Give the table up: there is nothing to come back to. */
  refuse({ code, sentence }: Refusal): void {
    this.hangUp();
    this.refusal = { code, sentence };
    this.state = 'refused';
    this.settleAll();
  }

  /** Come back at once: as somebody else, in another language, or because the network is back. */
  restart(): void {
    if (this.ended) return;
    this.pause = FIRST_PAUSE;
    this.refusal = null;
    this.dial();
  }

  /** Find out whether the line is still alive, for instance after the device has slept. */
  check(): void {
    if (this.state === 'open') this.ping();
    else if (this.state === 'lost') this.restart();
  }

  ask(message: Asking): Promise<Answer> {
    if (message.type === 'preview' && this.lately().length >= MANY) return Promise.resolve(lost('too-fast'));
    if (this.ended || this.state === 'refused') return Promise.resolve(lost('offline'));
    return new Promise((resolve) => {
      const id = newId();
      this.asked.set(id, { message, resolve, known: new Set(this.listener.lines.map((line) => line.id)) });
      if (this.state === 'open') this.send({ ...message, id });
    });
  }

  private dial(): void {
    this.hangUp();
    this.state = 'connecting';
    const socket = (this.socket = this.connect());
    socket.onopen = () => {
      const seen = this.listener.seq || null;
      this.send({
        type: 'hello',
        seen,
        language: this.language(),
        ...WISHES,
        ...(this.painted() && { painted: true }),
        ...(this.shared && { shared: true, ...this.shared }),
        ...(this.screen && { screen: true }),
      });
      this.watch();
    };
    socket.binaryType = 'arraybuffer';
    const arrive = inOrder((text) => socket === this.socket && this.hear(JSON.parse(text) as Frame));
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => arrive(data);
    socket.onclose = () => this.closed();
  }

  private hangUp(): void {
    clearTimeout(this.retry);
    this.endSilence();
    clearInterval(this.beat);
    this.soundings.forEach(clearTimeout);
    this.clock.forget();
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private hear(frame: Frame): void {
    if (this.silence && performance.now() - this.asking < SILENCE / 2) this.patience = SILENCE;
    this.endSilence();
    if (frame.type === 'pong') this.clock.answered(frame.id, frame.time);
    if (frame.type === 'welcome') this.welcomed(frame);
    else if (frame.type === 'update') this.updated(frame);
    else if (isAnswer(frame)) this.answered(frame);
    else if (frame.type === 'bye') this.restarting = true;
    else this.listener.hear(frame);
  }

  private updated({ change, check, at, ...frame }: Sent): void {
    const position = change ? this.held && followed(this.held, change, check) : frame.position;
    if (position) {
      this.held = position;
      const due = at === undefined ? {} : { due: this.clock.local(at) };
      this.listener.hear({ ...frame, ...due, position: this.repertoire.heard(position) });
    } else if (!this.astray) {
      this.astray = true;
      this.send({ type: 'resync', id: newId() });
    }
  }

  private welcomed({ actions, ...frame }: SentWelcome): void {
    [this.held, this.astray] = [frame.position, false];
    this.repertoire = new Repertoire(actions ?? []);
    this.listener.hear({ ...frame, position: this.held && this.repertoire.heard(this.held) });
    this.state = 'open';
    this.restarting = false;
    this.pause = FIRST_PAUSE;
    if (frame.table.party) this.sound();
    for (const [id, asked] of [...this.asked]) this.askAgain(id, asked);
  }

  /** Ask again under the same id, which a table never does twice; where it could, look at what came of it. */
  private askAgain(id: string, { message, known }: Asked): void {
    const arrived = message.type === 'say' && this.listener.lines.some((line) => isNew(line, message, known));
    if (arrived) return this.settle(id, { type: 'ack', id, seq: this.listener.seq });
    this.send({ ...message, id });
  }

  private answered(frame: Answer): void {
    if (frame.id) return this.settle(frame.id, frame);
    if (frame.type !== 'error' || PASSING.includes(frame.code)) return;
    if (this.state !== 'open' || FAREWELLS.includes(frame.code)) this.refuse(frame);
  }

  private closed(): void {
    this.hangUp();
    this.state = 'lost';
    this.retry = setTimeout(() => this.dial(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  private watch(): void {
    this.awaitWord();
    this.beat = setInterval(() => this.ping(), BEAT);
  }

  private endSilence(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }

  /** Find out what the server's clock shows: the quickest of a few answers is believed. */
  private sound(): void {
    this.soundings.forEach(clearTimeout);
    this.soundings = Array.from({ length: SOUNDINGS }, (_, at) => setTimeout(() => this.ping(), at * SOUNDING));
  }

  private ping(): void {
    const id = newId();
    this.clock.asked(id);
    this.send({ type: 'ping', id });
    this.awaitWord();
  }

  /** Give the line up if nothing is heard. A word may take long on a slow one, where a new line would only begin again. */
  private awaitWord(): void {
    if (this.silence) return; // what was asked before has not been answered either
    this.asking = performance.now();
    this.silence = setTimeout(() => {
      this.patience = Math.min(this.patience * 2, LONGEST_SILENCE);
      this.closed();
    }, this.patience);
  }

  private send(message: object): void {
    this.recent = [...this.lately(), performance.now()];
    this.socket?.send(JSON.stringify(message));
  }

  private settle(id: string, answer: Answer): void {
    this.asked.get(id)?.resolve(answer);
    this.asked.delete(id);
  }

  private settleAll(): void {
    for (const id of [...this.asked.keys()]) this.settle(id, lost('offline'));
  }

  /** When messages were sent that the table still counts. */
  private lately(): number[] {
    const now = performance.now();
    return this.recent.filter((moment) => now - moment < WINDOW);
  }
}

function isAnswer(frame: Frame): frame is Answer {
  return ['ack', 'error', 'preview', 'hint', 'why-not', 'pong'].includes(frame.type);
}

function isNew(line: ChatMessage, message: Extract<Asking, { type: 'say' }>, known: Set<string>): boolean {
  return !known.has(line.id) && line.text === message.text && line.to === message.to;
}

function lost(code: string): Answer {
  return { type: 'error', id: null, code, sentence: '', detail: null };
}
