import { beforeEach, describe, expect, test, vi } from 'vitest';
import { TableStore } from '$lib/table/table_store.svelte';
import type { TableFrame, Position, StepInfo, TableInfo, Update, Welcome } from '../../src/net/wire';

const position = (view: string): Position => ({
  view,
  actors: [0],
  legal: [],
  outcome: null,
  question: '?',
  decided: '',
});
const table = { status: 'playing', people: [], bots: [], seats: 2 } as unknown as TableInfo;
const you = { person: 'p1', seat: 0 };
const step = (seq: number, ...names: string[]): StepInfo => ({
  seq,
  events: names.map((type, seat) => ({ type, seat })),
  sentences: names.map((name) => (name === 'mute' ? '' : `${name}!`)),
  note: null,
});
const welcome = (seq: number, view: string, missed: StepInfo[] | null = null): Welcome => ({
  type: 'welcome',
  seq,
  you,
  table,
  position: position(view),
  missed,
  chat: [],
  clock: null,
  undo: null,
  bot_moves: 0,
});
const update = (seq: number, view: string, ...names: string[]): Update => ({
  type: 'update',
  ...step(seq, ...names),
  position: position(view),
  clock: null,
  undo: null,
});

let store: TableStore;
let gaps: number;
const settled = (): Promise<void> => vi.waitFor(() => expect(store.animations.animating).toBe(false));
const log = (): string[] => store.log.map((line) => `${line.seat} ${line.text}`);
const hear = async (...news: TableFrame[]): Promise<void> => {
  for (const each of news) store.receive(each);
  await settled();
};

beforeEach(() => {
  store = new TableStore();
  gaps = 0;
  store.onLogGap = () => gaps++;
});

describe('a table store', () => {
  test('shows the first welcome at once and requests the log', async () => {
    await hear(welcome(5, 'first'));
    expect(store.animations.shown?.view).toBe('first');
    expect(gaps).toBe(1);
  });

  test('adds a log entry for every event that has a sentence', async () => {
    await hear(welcome(5, 'first'), update(6, 'second', 'roll', 'mute', 'win'));
    expect(log()).toEqual(['0 roll!', '2 win!']);
    expect(store.seq).toBe(6);
  });

  test('receives missed steps, once', async () => {
    await hear(welcome(5, 'first'), update(6, 'second', 'a'));
    await hear(welcome(8, 'fourth', [step(7, 'b'), step(8, 'c')]));
    expect(log()).toEqual(['0 a!', '0 b!', '0 c!']);
    expect(store.animations.shown?.view).toBe('fourth');
    expect(gaps).toBe(1);
  });

  test('logs that a bot chose before its action, live, after a reconnection, and in the fetched log', async () => {
    const note = { seat: 1, sentence: 'Time was up.' };
    await hear(welcome(5, 'first'), { ...update(6, 'second', 'a', 'b'), note });
    await hear(welcome(7, 'third', [{ ...step(7, 'c'), note }]));
    const told = ['1 Time was up.', '0 a!', '1 b!', '1 Time was up.', '0 c!'];
    expect(log()).toEqual(told);
    const read = { step: 1, actor: 1, undone: false };
    store.setLog([
      {
        ...read,
        seq: 6,
        sentences: ['Time was up.', 'a!', 'b!'],
        events: [null, { type: 'a', seat: 0 }, { type: 'b', seat: 1 }],
      },
      { ...read, seq: 7, sentences: ['Time was up.', 'c!'], events: [null, { type: 'c', seat: 0 }] },
    ]);
    expect(log()).toEqual(told);
  });

  test('requests the log if missed steps are unknown', async () => {
    await hear(welcome(5, 'first'), welcome(900, 'far'));
    expect(gaps).toBe(2);
  });

  test('requests the log after an undo, which is no step', async () => {
    await hear(welcome(5, 'first'), update(6, 'second', 'a'), welcome(7, 'first', []));
    expect(store.animations.shown?.view).toBe('first');
    expect(gaps).toBe(2);
  });

  test('does not request the log if it has missed nothing', async () => {
    await hear(welcome(5, 'first'), welcome(5, 'first', []));
    expect(gaps).toBe(1);
  });

  test('keeps entries received while the log was requested', async () => {
    await hear(welcome(5, 'first'), update(6, 'second', 'a'), update(7, 'third', 'b'));
    store.setLog([
      { seq: 4, step: 0, actor: 'clock', sentences: ['set up'], events: [{ type: 'x' }], undone: false },
      { seq: 6, step: 1, actor: 1, sentences: ['a, told anew'], events: [{ type: 'a', seat: 1 }], undone: true },
    ]);
    expect(log()).toEqual(['null set up', '1 a, told anew', '0 b!']);
    expect(store.log.map((line) => line.undone)).toEqual([false, true, false]);
  });

  test('drops entries that the fetched log lacks', async () => {
    await hear(welcome(5, 'first'), update(6, 'second', 'a'));
    store.setLog([], 6);
    expect(log()).toEqual([]);
    await hear(update(7, 'third', 'b'));
    store.setLog([], 6);
    expect(log()).toEqual(['0 b!']);
  });

  test('requests the log of another lesson, though it may start where the last one ended', async () => {
    const at = (lesson: number, stage: string): TableInfo => ({ ...table, lesson: { lesson, stage } }) as TableInfo;
    await hear({ ...welcome(5, 'first'), table: at(1, 'right') });
    await hear({ type: 'table', seq: 6, table: at(2, 'asking') });
    expect(gaps).toBe(2);
    await hear({ type: 'table', seq: 7, table: at(2, 'watching') });
    expect(gaps).toBe(2);
  });

  test('adds an entry once, also if the log arrives during its animation', async () => {
    let go = (): void => undefined;
    const held = (): Promise<void> => new Promise((done) => (go = done));
    store.animations.animator = {
      animate: held,
      sceneContext: () => ({ root: null, animated: true, sound: () => undefined }),
    };
    await hear(welcome(4, 'first'));
    store.receive(update(5, 'second', 'one'));
    store.setLog([
      { seq: 5, step: 1, actor: 0, sentences: ['one!'], events: [{ type: 'one', seat: 0 }], undone: false },
    ]);
    go();
    await settled();
    expect(log()).toEqual(['0 one!']);
  });
});
