import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Connection, type Listener, type Socket } from '../../src/net/connection.svelte';
import { checksumOf } from '../../src/net/delta';
import type { TableRequest, ChatMessage, TableFrame } from '../../src/net/wire';

/** A server's end of a socket. */
class Wire implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  binaryType: Socket['binaryType'] = 'blob';
  readonly sent: (TableRequest & { id: string; type: string; seen?: number | null; language?: string })[] = [];
  closed = false;

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }
  close(): void {
    this.closed = true;
  }
  accept(): void {
    this.onopen?.call(this as never, new Event('open'));
  }
  say(frame: object): void {
    this.onmessage?.call(this as never, new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
  cut(): void {
    this.onclose?.call(this as never, new CloseEvent('close'));
  }
  of(type: string): (typeof this.sent)[number][] {
    return this.sent.filter((message) => message.type === type);
  }
}

class RecordingListener implements Listener {
  seq = 0;
  chat: ChatMessage[] = [];
  readonly received: TableFrame[] = [];

  receive(news: TableFrame): void {
    this.received.push(news);
    if ('seq' in news) this.seq = news.seq;
    if (news.type === 'welcome') this.chat = news.chat;
  }
}

const welcome = (seq: number, chat: Partial<ChatMessage>[] = [], party = false): object => ({
  type: 'welcome',
  seq,
  chat,
  table: { party },
});
const legal = { mask: '', cautions: [] };
const move: TableRequest = { type: 'act', action: { type: 'Pass' } };

let wires: Wire[];
let client: RecordingListener;
let connection: Connection;
const last = (): Wire => wires.at(-1)!;

function greet(seq = 1, chat: Partial<ChatMessage>[] = []): void {
  last().accept();
  last().say(welcome(seq, chat));
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  client = new RecordingListener();
  const dial = (): Wire => (wires.push(new Wire()), last());
  connection = new Connection(dial, client, () => 'nl');
  connection.start();
});

afterEach(() => {
  connection.end();
  vi.useRealTimers();
});

describe('connecting and reconnecting', () => {
  test('sends hello with the reader’s language, first without a sequence number', () => {
    greet();
    expect(last().sent).toMatchObject([{ type: 'hello', seen: null, language: 'nl' }]);
    expect(connection.state).toBe('open');
  });

  test('requests missed steps', () => {
    greet(41);
    last().say({ type: 'update', seq: 44, position: { view: 1, legal }, change: null, check: '' });
    last().cut();
    expect(connection.state).toBe('lost');
    vi.advanceTimersByTime(1000);
    last().accept();
    expect(last().of('hello')[0]!.seen).toBe(44);
  });

  test('applies deltas to positions', () => {
    last().accept();
    last().say({ ...welcome(1), position: { view: { bag: 40, board: 'long' }, legal } });
    const after = { view: { bag: 39, board: 'long' }, legal };
    last().say({ type: 'update', seq: 2, position: null, change: { view: { bag: [39] } }, check: checksumOf(after) });
    expect(client.received.at(-1)).toEqual({ type: 'update', seq: 2, position: { ...after, legal: [] } });
  });

  test('estimates the server’s clock at a party, and the due time of a step', async () => {
    last().accept();
    last().say(welcome(1, [], true));
    await vi.advanceTimersByTimeAsync(1000);
    expect(last().of('ping').length).toBeGreaterThan(3);
    const [ping] = last().of('ping').slice(-1);
    last().say({ type: 'pong', id: ping!.id, time: 5_000_000 });
    const [now, legal_] = [performance.now(), { view: {}, legal }];
    last().say({ type: 'update', seq: 2, position: legal_, change: null, check: '', at: 5_000_700 });
    const { due } = client.received.at(-1) as { due?: number };
    expect(due! - now).toBeGreaterThan(300);
    expect(due! - now).toBeLessThanOrEqual(1200);
  });

  test('does not estimate the clock at other tables', async () => {
    greet();
    await vi.advanceTimersByTimeAsync(1000);
    expect(last().of('ping')).toEqual([]);
  });

  test('identifies itself as a big screen', () => {
    connection.end();
    connection = new Connection(
      () => (wires.push(new Wire()), last()),
      client,
      () => 'en',
      () => false,
      null,
      true,
    );
    connection.start();
    last().accept();
    expect(last().of('hello')).toMatchObject([{ screen: true }]);
  });

  test('decodes legal actions, which are sent as indexes', () => {
    const actions = [
      { action: 'Pass', fields: [], rows: [[]] },
      { action: 'Step', fields: ['to'], rows: [...'abcdefghij'].map((to) => [to]) },
    ];
    const danger = { rule: 'edge', key: 'near', params: {}, sentence: 'Mind the edge.' };
    last().accept();
    last().say({ ...welcome(1), actions, position: { view: 1, legal } });
    const now = { mask: '1104', cautions: [{ ...danger, mask: '0004' }] }; // 0, 4 and 10
    const after = { view: 1, legal: now };
    const change = { legal: [now] };
    last().say({ type: 'update', seq: 2, position: null, change, check: checksumOf(after) });
    const offers = [
      { action: 'Pass', fields: [], rows: [[]], cautions: {} },
      { action: 'Step', fields: ['to'], rows: [['d'], ['j']], cautions: { 1: [danger] } },
    ];
    expect(client.received.at(-1)).toMatchObject({ position: { legal: offers } });
  });

  test('requests a resync once after a checksum mismatch, and continues from there', () => {
    last().accept();
    last().say({ ...welcome(1), position: { view: { bag: 40 }, legal } });
    for (const seq of [2, 3]) {
      last().say({ type: 'update', seq, position: null, change: { view: { bag: [38] } }, check: '00000000' });
    }
    expect(last().of('resync')).toHaveLength(1);
    expect(client.received).toHaveLength(1);
    last().say({ ...welcome(3), position: { view: { bag: 38 }, legal } });
    const after = { view: { bag: 37 }, legal };
    last().say({ type: 'update', seq: 4, position: null, change: { view: { bag: [37] } }, check: checksumOf(after) });
    expect(client.received.at(-1)).toEqual({ type: 'update', seq: 4, position: { ...after, legal: [] } });
  });

  test('backs off after every failure, and reconnects at once when the network is back', () => {
    greet();
    last().cut();
    for (let failures = 0; failures < 8; failures++) {
      vi.advanceTimersByTime(10_000);
      last().cut();
    }
    const before = wires.length;
    vi.advanceTimersByTime(5000);
    expect(wires.length).toBe(before);
    connection.check();
    expect(wires.length).toBe(before + 1);
  });

  test('increases the timeout with each try, so that a long welcome gets through on a slow network', () => {
    last().accept();
    vi.advanceTimersByTime(8_000 + 400);
    expect(wires).toHaveLength(2);
    last().accept();
    vi.advanceTimersByTime(15_000);
    last().say(welcome(1));
    expect([connection.state, wires.length]).toEqual(['open', 2]);
    vi.advanceTimersByTime(15_000); // a ping
    vi.advanceTimersByTime(12_000);
    expect(connection.state, 'it is known to be slow').toBe('open');
    last().say({ type: 'pong', id: 'p', time: 0 });
    vi.advanceTimersByTime(3_000); // the next ping
    last().say({ type: 'pong', id: 'q', time: 0 });
    vi.advanceTimersByTime(15_000 + 8_000);
    expect(connection.state, 'it was quick again').toBe('lost');
  });

  test('detects a dead connection without a close event', () => {
    greet();
    vi.advanceTimersByTime(15_000);
    expect(last().of('ping')).toHaveLength(1);
    vi.advanceTimersByTime(8000);
    expect(connection.state).toBe('lost');
  });

  test('a pong keeps the connection', () => {
    greet();
    vi.advanceTimersByTime(15_000);
    last().say({ type: 'pong', id: last().of('ping')[0]!.id });
    vi.advanceTimersByTime(10_000);
    expect(connection.state).toBe('open');
  });

  test('reports a restart of the server until it is back', () => {
    greet();
    last().say({ type: 'bye', sentence: '…' });
    expect(connection.restarting).toBe(true);
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2);
    expect(connection.restarting).toBe(false);
  });

  test.each(['removed', 'banned', 'locked', 'no-spectators', 'join-to-watch', 'signed-out'])(
    'does not come back after it was let go: %s',
    (code) => {
      greet();
      last().say({ type: 'error', id: null, code, sentence: '', detail: null });
      last().cut();
      vi.advanceTimersByTime(60_000);
      expect(connection.state).toBe('refused');
      expect(connection.refusal?.code).toBe(code);
      expect(wires).toHaveLength(1);
    },
  );

  test('does not reconnect to an unknown table', () => {
    last().accept();
    last().say({ type: 'error', id: null, code: 'unknown-table', sentence: '' });
    vi.advanceTimersByTime(60_000);
    expect(connection.state).toBe('refused');
    expect(wires).toHaveLength(1);
  });
});

describe('a request', () => {
  test('is answered by its id', async () => {
    greet();
    const [one, other] = [connection.request(move), connection.request({ type: 'ready', ready: true })];
    const [act, ready] = last().sent.slice(1);
    last().say({ type: 'error', id: ready!.id, code: 'players-only', sentence: '' });
    last().say({ type: 'ack', id: act!.id, seq: 2 });
    expect((await one).type).toBe('ack');
    expect((await other).type).toBe('error');
  });

  test('without an answer is resent once, under the same id', async () => {
    greet();
    const answer = connection.request(move);
    const { id } = last().of('act')[0]!;
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2);
    expect(
      last()
        .of('act')
        .map((message) => message.id),
    ).toEqual([id]);
    last().say({ type: 'ack', id, seq: 2 });
    expect(await answer).toMatchObject({ type: 'ack', seq: 2 });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(3);
    expect(last().of('act')).toEqual([]);
  });

  test('is resent if its answer may have been dropped on an open connection', () => {
    greet();
    void connection.request(move);
    last().say(welcome(7));
    expect(
      new Set(
        last()
          .of('act')
          .map((message) => message.id),
      ).size,
    ).toBe(1);
    expect(last().of('act')).toHaveLength(2);
  });

  test('made while disconnected is sent after reconnecting', () => {
    greet();
    last().cut();
    void connection.request(move);
    vi.advanceTimersByTime(1000);
    greet(2);
    expect(last().of('act')).toHaveLength(1);
  });

  test('to chat is not resent if the message has arrived', async () => {
    greet();
    const said = connection.request({ type: 'say', text: 'hallo', to: null });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    expect(last().of('say')).toEqual([]);
    expect((await said).type).toBe('ack');
  });

  test('for a phrase is not resent if it has arrived', async () => {
    greet();
    const said = connection.request({ type: 'phrase', phrase: 'hello', to: null });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2, [{ id: 'l1', person: 'p1', text: 'Hello!', phrase: 'hello', to: null }]);
    expect(last().of('phrase')).toEqual([]);
    expect((await said).type).toBe('ack');
  });

  test('to chat is resent if the message got lost, though an equal one exists', () => {
    greet(1, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    void connection.request({ type: 'say', text: 'hallo', to: null });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    expect(last().of('say')).toHaveLength(1);
  });

  test('for a preview is not sent near the rate limit', async () => {
    const preview = { type: 'preview', action: { type: 'Pass' } } as const;
    greet();
    for (let count = 0; count < 40; count++) void connection.request(move);
    for (let count = 0; count < 40; count++) void connection.request(preview);
    expect(await connection.request(preview)).toMatchObject({ code: 'too-fast' });
    expect(last().sent).toHaveLength(60);
    void connection.request(move);
    expect(last().sent).toHaveLength(61);
    vi.advanceTimersByTime(20_000);
    void connection.request(preview);
    expect(last().of('preview')).toHaveLength(20);
  });

  test('fails when the page leaves the table', async () => {
    greet();
    const answer = connection.request(move);
    connection.end();
    expect(await answer).toMatchObject({ type: 'error', code: 'offline' });
    expect(last().closed).toBe(true);
  });
});
