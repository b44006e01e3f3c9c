/** A reconnecting WebSocket: unanswered requests are resent, missed steps are replayed. */
import type { Language } from '$lib/i18n.svelte';
import { alone } from '../page/page_server.svelte';
import { applyDelta } from './delta';
import { newId } from './random_id';
import { ActionTable } from './legal_actions';
import { canDecompress, decodeInOrder } from './decompression';
import { ServerClock } from './server_clock';
import type {
  Answer,
  ClientMessage,
  TableRequest,
  Frame,
  ChatMessage,
  TableFrame,
  Transport,
  Refusal,
  RawUpdate,
  RawPosition,
  RawWelcome,
} from './wire';

/** The part of a WebSocket that is used, so that tests can provide a fake. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close' | 'binaryType'>;

export interface Listener {
  receive(news: TableFrame): void;
  readonly seq: number; // sequence number of the last step received, 0 before the first
  readonly chat: ChatMessage[];
}

/** The person for whom a shared device connects; null: the connection shows what everybody may see. */
export interface SharedDevice {
  person: string | null;
}

interface PendingAnswer {
  message: TableRequest;
  resolve: (answer: Answer) => void;
  known: Set<string>; // ids of the chat messages received before the request
}

const CAPABILITIES = canDecompress && !alone ? { packed: true } : {}; // within one page nothing needs compression
const MIN_BACKOFF = 250;
const MAX_BACKOFF = 8_000;
const PING_INTERVAL = 15_000; // ms between pings
const ANSWER_TIMEOUT = 8_000; // ms without a frame after a ping: the connection is dead, whatever the browser reports
const MAX_ANSWER_TIMEOUT = 64_000; // upper bound: on slow networks the timeout doubles with each failed connection
const CLOCK_SAMPLES = 5; // pings by which a device at a party estimates the server's clock
const CLOCK_SAMPLE_INTERVAL = 150; // ms between them
const PREVIEW_LIMIT = 60; // messages per RATE_WINDOW after which previews stop; the server's rate limit is 100
const RATE_WINDOW = 20_000;
const RETRYABLE = ['not-saved', 'table-stopped', 'broken', 'too-fast', 'crowded', 'no-hello']; // errors after which reconnecting helps
const FINAL = ['removed', 'banned', 'locked', 'no-spectators', 'join-to-watch', 'signed-out']; // errors after which reconnecting is pointless

export class Connection implements Transport {
  state = $state<Transport['state']>('connecting');
  refusal = $state.raw<Refusal | null>(null);
  restarting = $state(false); // the server announced a restart
  private socket: Socket | null = null;
  private readonly pending = new Map<string, PendingAnswer>();
  private backoff = MIN_BACKOFF;
  private answerTimeout = ANSWER_TIMEOUT;
  private askedAt = 0; // when the unanswered ping was sent
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  private silenceTimer: ReturnType<typeof setTimeout> | undefined;
  private sentAt: number[] = [];
  private ended = false;
  private lastPosition: RawPosition | null = null; // the position that the next delta applies to
  private actionTable = new ActionTable();
  private resyncing = false; // a checksum did not match, and a whole position was requested
  private readonly clock = new ServerClock();
  private sampleTimers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly connect: () => Socket,
    private readonly listener: Listener,
    private readonly language: () => Language,
    private readonly painted: () => boolean = () => false,
    private readonly shared: SharedDevice | null = null,
    private readonly screen = false, // the big screen of a party, which has no identity
  ) {}

  start(): void {
    this.ended = false;
    this.openSocket();
  }

  end(): void {
    this.ended = true;
    this.closeSocket();
    this.settleAll();
  }

  /** Close for good, with the reason. */
  refuse({ code, sentence }: Refusal): void {
    this.closeSocket();
    this.refusal = { code, sentence };
    this.state = 'refused';
    this.settleAll();
  }

  /** Reconnect at once: with another identity or language, or because the network is back. */
  reconnect(): void {
    if (this.ended) return;
    this.backoff = MIN_BACKOFF;
    this.refusal = null;
    this.openSocket();
  }

  /** Check whether the connection is alive, for example after the device has slept. */
  check(): void {
    if (this.state === 'open') this.ping();
    else if (this.state === 'lost') this.reconnect();
  }

  request(message: TableRequest): Promise<Answer> {
    if (message.type === 'preview' && this.recentlySent().length >= PREVIEW_LIMIT)
      return Promise.resolve(failed('too-fast'));
    if (this.ended || this.state === 'refused') return Promise.resolve(failed('offline'));
    return new Promise((resolve) => {
      const id = newId();
      this.pending.set(id, { message, resolve, known: new Set(this.listener.chat.map((line) => line.id)) });
      if (this.state === 'open') this.send({ ...message, id });
    });
  }

  private openSocket(): void {
    this.closeSocket();
    this.state = 'connecting';
    const socket = (this.socket = this.connect());
    socket.onopen = () => {
      const lastSeq = this.listener.seq || null;
      this.send({
        type: 'hello',
        seen: lastSeq,
        language: this.language(),
        ...CAPABILITIES,
        ...(this.painted() && { painted: true }),
        ...(this.shared && { shared: true, ...this.shared }),
        ...(this.screen && { screen: true }),
      });
      this.startHeartbeat();
    };
    socket.binaryType = 'arraybuffer';
    const arrive = decodeInOrder((text) => socket === this.socket && this.onFrame(JSON.parse(text) as Frame));
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => arrive(data);
    socket.onclose = () => this.onClose();
  }

  private closeSocket(): void {
    clearTimeout(this.retry);
    this.stopSilenceTimer();
    clearInterval(this.pingTimer);
    this.sampleTimers.forEach(clearTimeout);
    this.clock.forget();
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private onFrame(frame: Frame): void {
    if (this.silenceTimer && performance.now() - this.askedAt < ANSWER_TIMEOUT / 2) this.answerTimeout = ANSWER_TIMEOUT;
    this.stopSilenceTimer();
    if (frame.type === 'pong') this.clock.pongReceived(frame.id, frame.time);
    if (frame.type === 'welcome') this.onWelcome(frame);
    else if (frame.type === 'update') this.onUpdate(frame);
    else if (isAnswer(frame)) this.onAnswer(frame);
    else if (frame.type === 'bye') this.restarting = true;
    else this.listener.receive(frame);
  }

  private onUpdate({ change, check, at, ...frame }: RawUpdate): void {
    const position = change ? this.lastPosition && applyDelta(this.lastPosition, change, check) : frame.position;
    if (position) {
      this.lastPosition = position;
      const due = at === undefined ? {} : { due: this.clock.local(at) };
      this.listener.receive({ ...frame, ...due, position: this.actionTable.decode(position) });
    } else if (!this.resyncing) {
      this.resyncing = true;
      this.send({ type: 'resync', id: newId() });
    }
  }

  private onWelcome({ actions, ...frame }: RawWelcome): void {
    [this.lastPosition, this.resyncing] = [frame.position, false];
    this.actionTable = new ActionTable(actions ?? []);
    this.listener.receive({ ...frame, position: this.lastPosition && this.actionTable.decode(this.lastPosition) });
    this.state = 'open';
    this.restarting = false;
    this.backoff = MIN_BACKOFF;
    if (frame.table.party) this.sampleClock();
    for (const [id, asked] of [...this.pending]) this.resend(id, asked);
  }

  /** Resend a request under the same id, by which moves are carried out once; a chat message may already have arrived. */
  private resend(id: string, { message, known }: PendingAnswer): void {
    const isChat = message.type === 'say' || message.type === 'phrase';
    const arrived = isChat && this.listener.chat.some((line) => isNew(line, message, known));
    if (arrived) return this.settle(id, { type: 'ack', id, seq: this.listener.seq });
    this.send({ ...message, id });
  }

  private onAnswer(frame: Answer): void {
    if (frame.id) return this.settle(frame.id, frame);
    if (frame.type !== 'error' || RETRYABLE.includes(frame.code)) return;
    if (this.state !== 'open' || FINAL.includes(frame.code)) this.refuse(frame);
  }

  private onClose(): void {
    this.closeSocket();
    this.state = 'lost';
    this.retry = setTimeout(() => this.openSocket(), this.backoff * (0.75 + Math.random() / 2));
    this.backoff = Math.min(this.backoff * 2, MAX_BACKOFF);
  }

  private startHeartbeat(): void {
    this.startSilenceTimer();
    this.pingTimer = setInterval(() => this.ping(), PING_INTERVAL);
  }

  private stopSilenceTimer(): void {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = undefined;
  }

  /** Estimate the server's clock from a few pings; the one with the shortest round trip counts. */
  private sampleClock(): void {
    this.sampleTimers.forEach(clearTimeout);
    this.sampleTimers = Array.from({ length: CLOCK_SAMPLES }, (_, at) =>
      setTimeout(() => this.ping(), at * CLOCK_SAMPLE_INTERVAL),
    );
  }

  private ping(): void {
    const id = newId();
    this.clock.pingSent(id);
    this.send({ type: 'ping', id });
    this.startSilenceTimer();
  }

  /** Drop the connection if no frame arrives in time. The timeout grows, so that a slow network can finish a welcome. */
  private startSilenceTimer(): void {
    if (this.silenceTimer) return; // the timer of an earlier ping is still running
    this.askedAt = performance.now();
    this.silenceTimer = setTimeout(() => {
      this.answerTimeout = Math.min(this.answerTimeout * 2, MAX_ANSWER_TIMEOUT);
      this.onClose();
    }, this.answerTimeout);
  }

  private send(message: ClientMessage): void {
    this.sentAt = [...this.recentlySent(), performance.now()];
    this.socket?.send(JSON.stringify(message));
  }

  private settle(id: string, answer: Answer): void {
    this.pending.get(id)?.resolve(answer);
    this.pending.delete(id);
  }

  private settleAll(): void {
    for (const id of [...this.pending.keys()]) this.settle(id, failed('offline'));
  }

  /** Send times of the messages within the rate-limit window. */
  private recentlySent(): number[] {
    const now = performance.now();
    return this.sentAt.filter((moment) => now - moment < RATE_WINDOW);
  }
}

function isAnswer(frame: Frame): frame is Answer {
  return ['ack', 'error', 'preview', 'hint', 'why-not', 'pong'].includes(frame.type);
}

type ChatRequest = Extract<TableRequest, { type: 'say' | 'phrase' }>;

function isNew(line: ChatMessage, message: ChatRequest, known: Set<string>): boolean {
  const isSame = message.type === 'say' ? line.text === message.text : line.phrase === message.phrase;
  return isSame && !known.has(line.id) && line.to === message.to;
}

function failed(code: string): Answer {
  return { type: 'error', id: null, code, sentence: '', detail: null };
}
