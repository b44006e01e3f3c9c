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

class Ear implements Listener {
  seq = 0;
  chat: ChatMessage[] = [];
  readonly heard: TableFrame[] = [];

  receive(news: TableFrame): void {
    this.heard.push(news);
    if ('seq' in news) this.seq = news.seq;
    if (news.type === 'welcome') this.chat = news.chat;
  }
}

const welcome = (seq: number, chat: Partial<ChatMessage>[] = [], party = false): object => ({
  ...{ type: 'welcome', seq, chat, table: { party } },
});
const legal = { places: '', cautions: [] };
const move: TableRequest = { type: 'act', action: { type: 'Pass' } };

let wires: Wire[];
let ear: Ear;
let connection: Connection;
const last = (): Wire => wires.at(-1)!;

function greet(seq = 1, chat: Partial<ChatMessage>[] = []): void {
  last().accept();
  last().say(welcome(seq, chat));
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  ear = new Ear();
  const dial = (): Wire => (wires.push(new Wire()), last());
  connection = new Connection(dial, ear, () => 'nl');
  connection.start();
});

afterEach(() => {
  connection.end();
  vi.useRealTimers();
});

describe('coming and coming back', () => {
  test('says hello in the reader’s language, first without a number', () => {
    greet();
    expect(last().sent).toMatchObject([{ type: 'hello', seen: null, language: 'nl' }]);
    expect(connection.state).toBe('open');
  });

  test('asks for what was missed', () => {
    greet(41);
    last().say({ type: 'update', seq: 44, position: { view: 1, legal }, change: null, check: '' });
    last().cut();
    expect(connection.state).toBe('lost');
    vi.advanceTimersByTime(1000);
    last().accept();
    expect(last().of('hello')[0]!.seen).toBe(44);
  });

  test('works out positions by what has changed', () => {
    last().accept();
    last().say({ ...welcome(1), position: { view: { bag: 40, board: 'long' }, legal } });
    const after = { view: { bag: 39, board: 'long' }, legal };
    last().say({ type: 'update', seq: 2, position: null, change: { view: { bag: [39] } }, check: checksumOf(after) });
    expect(ear.heard.at(-1)).toEqual({ type: 'update', seq: 2, position: { ...after, legal: [] } });
  });

  test('finds out at a party what the clock of the server shows, and when a step is told', async () => {
    last().accept();
    last().say(welcome(1, [], true));
    await vi.advanceTimersByTimeAsync(1000);
    expect(last().of('ping').length).toBeGreaterThan(3);
    const [ping] = last().of('ping').slice(-1);
    last().say({ type: 'pong', id: ping!.id, time: 5_000_000 });
    const [now, legal_] = [performance.now(), { view: {}, legal }];
    last().say({ type: 'update', seq: 2, position: legal_, change: null, check: '', at: 5_000_700 });
    const { due } = ear.heard.at(-1) as { due?: number };
    expect(due! - now).toBeGreaterThan(300);
    expect(due! - now).toBeLessThanOrEqual(1200);
  });

  test('counts no clock at other tables', async () => {
    greet();
    await vi.advanceTimersByTimeAsync(1000);
    expect(last().of('ping')).toEqual([]);
  });

  test('says that it is a big screen', () => {
    connection.end();
    connection = new Connection(
      () => (wires.push(new Wire()), last()),
      ear,
      () => 'en',
      () => false,
      null,
      true,
    );
    connection.start();
    last().accept();
    expect(last().of('hello')).toMatchObject([{ screen: true }]);
  });

  test('writes out what is legal, which comes as places among all actions', () => {
    const actions = [
      { action: 'Pass', fields: [], rows: [[]] },
      { action: 'Step', fields: ['to'], rows: [...'abcdefghij'].map((to) => [to]) },
    ];
    const danger = { rule: 'edge', key: 'near', params: {}, sentence: 'Mind the edge.' };
    last().accept();
    last().say({ ...welcome(1), actions, position: { view: 1, legal } });
    const now = { places: '1104', cautions: [{ ...danger, places: '0004' }] }; // 0, 4 and 10
    const after = { view: 1, legal: now };
    const change = { legal: [now] };
    last().say({ type: 'update', seq: 2, position: null, change, check: checksumOf(after) });
    const offers = [
      { action: 'Pass', fields: [], rows: [[]], cautions: {} },
      { action: 'Step', fields: ['to'], rows: [['d'], ['j']], cautions: { 1: [danger] } },
    ];
    expect(ear.heard.at(-1)).toMatchObject({ position: { legal: offers } });
  });

  test('asks for everything anew, once, when a change does not fit, and goes on from there', () => {
    last().accept();
    last().say({ ...welcome(1), position: { view: { bag: 40 }, legal } });
    for (const seq of [2, 3]) {
      last().say({ type: 'update', seq, position: null, change: { view: { bag: [38] } }, check: '00000000' });
    }
    expect(last().of('resync')).toHaveLength(1);
    expect(ear.heard).toHaveLength(1);
    last().say({ ...welcome(3), position: { view: { bag: 38 }, legal } });
    const after = { view: { bag: 37 }, legal };
    last().say({ type: 'update', seq: 4, position: null, change: { view: { bag: [37] } }, check: checksumOf(after) });
    expect(ear.heard.at(-1)).toEqual({ type: 'update', seq: 4, position: { ...after, legal: [] } });
  });

  test('waits longer after every failure, and not at all once the network is back', () => {
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

  test('gives a slow line more time with each try, so that a long welcome gets through', () => {
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

  test('notices a line that is dead without saying so', () => {
    greet();
    vi.advanceTimersByTime(15_000);
    expect(last().of('ping')).toHaveLength(1);
    vi.advanceTimersByTime(8000);
    expect(connection.state).toBe('lost');
  });

  test('a pong keeps the line', () => {
    greet();
    vi.advanceTimersByTime(15_000);
    last().say({ type: 'pong', id: last().of('ping')[0]!.id });
    vi.advanceTimersByTime(10_000);
    expect(connection.state).toBe('open');
  });

  test('says that the server takes a break until it is back', () => {
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

  test('does not come back to a table that is not there', () => {
    last().accept();
    last().say({ type: 'error', id: null, code: 'unknown-table', sentence: '' });
    vi.advanceTimersByTime(60_000);
    expect(connection.state).toBe('refused');
    expect(wires).toHaveLength(1);
  });
});

describe('what was asked', () => {
  test('is answered by its id', async () => {
    greet();
    const [one, other] = [connection.request(move), connection.request({ type: 'ready', ready: true })];
    const [act, ready] = last().sent.slice(1);
    last().say({ type: 'error', id: ready!.id, code: 'players-only', sentence: '' });
    last().say({ type: 'ack', id: act!.id, seq: 2 });
    expect((await one).type).toBe('ack');
    expect((await other).type).toBe('error');
  });

  test('and not answered is asked again once, under the same id', async () => {
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

  test('is asked again when an answer may have been dropped on a line that held', () => {
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

  test('while the line is down goes out when it is back', () => {
    greet();
    last().cut();
    void connection.request(move);
    vi.advanceTimersByTime(1000);
    greet(2);
    expect(last().of('act')).toHaveLength(1);
  });

  test('a word that has arrived is not said twice', async () => {
    greet();
    const said = connection.request({ type: 'say', text: 'hallo', to: null });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    expect(last().of('say')).toEqual([]);
    expect((await said).type).toBe('ack');
  });

  test('a word that got lost is said again, though the same was said before', () => {
    greet(1, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    void connection.request({ type: 'say', text: 'hallo', to: null });
    last().cut();
    vi.advanceTimersByTime(1000);
    greet(2, [{ id: 'l1', person: 'p1', text: 'hallo', to: null }]);
    expect(last().of('say')).toHaveLength(1);
  });

  test('who moves fast goes without previews, and is never sent away for them', async () => {
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

  test('is given up when the page leaves the table', async () => {
    greet();
    const answer = connection.request(move);
    connection.end();
    expect(await answer).toMatchObject({ type: 'error', code: 'offline' });
    expect(last().closed).toBe(true);
  });
});
