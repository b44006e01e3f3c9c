/** The jury on a big screen: its steps and words, reduced motion, and a reload in the middle. */
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { Bench } from './test_table';
import { settle, updates, type Update } from '$tests/test_table';
import { settings } from '$lib/settings.svelte';
import ui from '../index';
import { ALL, durationOf, NOTHING, PAGE, stampBeats } from '../board/jury/jury.svelte';
import { eventsOf, resume } from '../board/jury/tv/play_from';
import TvJury from '../board/jury/tv/TvJury.svelte';
import { breach, crossedOut, oddsText, outlook, stake, stepOf } from '../board/jury/tv/tv_jury';
import type { Event, JumpSeen, Promised, Table, View } from '../model/wire';

const steps = updates<View, Event>('boogie-5');
const at = steps.findIndex(({ events }) => events.some(({ type }) => type === 'CardsTurned'));
const jury: Update<View, Event> = steps[at]!;
const before = steps[at - 1]!.position;

function jump(change: Partial<JumpSeen>): JumpSeen {
  return {
    jump: { number: 3, solo: null },
    characters: [],
    jumpcards: [],
    disqualified: [],
    late: [],
    refused: [],
    sure: [],
    maybe: [],
    verdict: 'nobody',
    jumpers: [],
    dice: 0,
    difficulty: 0,
    potential: 0,
    percent: 0,
    eyes: [],
    points: 0,
    ...change,
  };
}

const characters = (...cards: string[]): JumpSeen['characters'] => cards.map((card, seat) => ({ seat, card }));

function big(position: typeof before, motion = true): Bench {
  const bench = new Bench('boogie-5', position);
  bench.store.table = { ...bench.store.table!, party: true, screens: 1 };
  bench.store.you = { person: null, seat: null };
  bench.shell.onScreen = true;
  settings.stored = { ...settings.stored, motion };
  return bench;
}

afterEach(() => {
  settings.stored = { ...settings.stored, motion: true };
});

describe('the steps', () => {
  const flown = jump({
    characters: characters('sure', 'sure', 'maybe'),
    jumpcards: [{ seat: 0, card: '4' }],
    jumpers: [0, 1, 2],
    verdict: 'exact',
    dice: 1,
    eyes: [5],
    difficulty: 4,
    potential: 4,
    points: 4,
  });
  const failed = jump({
    characters: characters('sure', 'sure', 'sure', 'sure'),
    verdict: 'too many',
    sure: [0, 1, 2, 3],
  });

  test('follow the cards, the roll, the points and the promises', () => {
    expect(stepOf(flown, { ...NOTHING, cards: 3 }, 1)).toBe('who');
    expect(stepOf(flown, { ...NOTHING, cards: 4 }, 1)).toBe('what');
    expect(stepOf(flown, { ...NOTHING, cards: 4, counted: true, weighed: true }, 1)).toBe('roll');
    expect(stepOf(flown, { ...ALL, judging: false }, 1)).toBe('points');
    expect([stepOf(flown, ALL, 1), stepOf(flown, ALL, 0)]).toEqual(['promises', 'points']);
  });

  test('of a jump that fails end with who jumps; its promises are judged all the same', () => {
    expect(crossedOut(failed, { ...NOTHING, cards: 3 })).toEqual([]);
    expect(crossedOut(failed, { ...NOTHING, cards: 4 })).toEqual(['what', 'roll', 'points']);
    expect([stepOf(failed, ALL, 0), stepOf(failed, ALL, 2)]).toEqual(['who', 'promises']);
  });

  test('without a figure leave out the roll', () => {
    const shown = { ...NOTHING, cards: 1, counted: true };
    expect(crossedOut(jump({ characters: characters('sure'), jumpers: [0], verdict: 'halved' }), shown)).toEqual([
      'roll',
    ]);
  });
});

describe('the words', () => {
  const table = (): Table => big(before).table;

  test('say what is at stake, in numbers that can be read', () => {
    const many = jump({
      characters: characters('sure', 'sure', 'sure', 'maybe'),
      sure: [0, 1, 2, 3],
      verdict: 'too many',
    });
    expect(stake(table(), many, NOTHING, 'who')).toBe('Formation 3: exactly three jump');
    expect(stake(table(), many, ALL, 'who')).toBe('Four jumpers: it fails');
    const roll = jump({ dice: 4, difficulty: 12, potential: 10, percent: 76, jumpers: [1] });
    expect(stake(table(), roll, ALL, 'roll')).toBe('Reach 12 with four dice: about 3 in 4');
    expect(stake(table(), roll, ALL, 'what')).toBe('Four figures worth 10, effects +2');
  });

  test.each([
    [50, 'about 1 in 2'],
    [33, 'about 1 in 3'],
    [83, 'about 5 in 6'],
    [92, 'about 9 in 10'],
    [5, 'about 1 in 20'],
    [100, 'a sure thing'],
    [0, 'no chance'],
  ])('say a chance of %d %% as %s', (percent, words) => {
    expect(oddsText(table(), percent)).toBe(words);
  });

  test('say what each mark of the deciding card would mean; equal ones share a line', () => {
    const last = jump({ characters: characters('sure', 'sure', 'bluff', 'bluff'), jump: { number: 3, solo: null } });
    expect(outlook(table(), last, 3)).toEqual([
      { marks: ['sure', 'maybe'], sentence: 'Three jump, for all the points.' },
      { marks: ['bluff'], sentence: 'Two jump, for half.' },
    ]);
  });

  test('say what was laid instead of what was promised', () => {
    const judged = jump({ characters: characters('bluff'), jumpcards: [{ seat: 0, card: '+2' }] });
    const promise = (pledge: Promised['term']['pledge'], seat = 0): Promised => ({
      seat,
      to: null,
      asked: null,
      verdict: 'broken',
      term: { pledge, jump: judged.jump },
    });
    expect(breach(table(), judged, promise('sure'))).toBe('laid ⊘');
    expect(breach(table(), judged, promise('harmless'))).toBe('laid +2');
    expect(breach(table(), judged, promise('figures'))).toBe('laid nothing');
    expect(breach(table(), judged, promise('sure', 1))).toBe('laid nothing');
  });
});

describe('the time of promises', () => {
  const promises = (count: number, to: number | null): Promised[] =>
    Array.from({ length: count }, (_, seat) => ({
      seat,
      to,
      asked: null,
      verdict: 'void',
      term: { pledge: 'sure', jump: { number: 3, solo: null } },
    }));
  const sum = (beats: number[]): number => beats.reduce((all, beat) => all + beat, 0);

  test('is the same on all devices of a party: private promises take none', () => {
    expect(sum(stampBeats([...promises(2, null), ...promises(3, 1)], true))).toBe(
      sum(stampBeats(promises(2, null), true)),
    );
    expect(sum(stampBeats(promises(3, 1), true))).toBe(0);
    expect(sum(stampBeats(promises(3, 1), false))).toBeGreaterThan(0);
  });

  test('suffices to read each page of four', () => {
    const beats = stampBeats(promises(PAGE + 1, null), true);
    expect(sum(beats.slice(0, PAGE))).toBe(2500);
    expect(beats[PAGE]).toBe(2500);
  });
});

test('events made of a position are those the rules announce', () => {
  const kinds = new Set(eventsOf(jury.position.view.jury.jumps[0]!).map(({ type }) => type));
  const judged = jury.position.view.jury.jumps.flatMap(eventsOf);
  const told = jury.events.filter(({ type }) => kinds.has(type) || judged.some((event) => event.type === type));
  const bare = (events: Event[]): object[] => events.map((event) => ({ ...event, result: undefined }));
  expect(bare(judged)).toEqual(bare(told));
});

describe('the scene', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  const pass = async (milliseconds: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await settle();
  };
  const hear = async (bench: Bench): Promise<void> => {
    bench.store.receive(jury as unknown as Parameters<typeof bench.store.receive>[0]);
    await settle();
  };
  const scene = (bench: Bench): unknown => ui.tvScene!(bench.table, bench.model);

  it('is shown from the first card until the next plane, and adds up the points', async () => {
    const bench = big(before);
    expect(scene(bench)).toBe(null);
    await hear(bench);
    await pass(1200);
    expect(scene(bench)).toBe(TvJury);
    const totals = jury.position.view.points.at(-1)!;
    const seen: number[][] = [];
    for (let beat = 0; beat < 900 && bench.model.jury.playing; beat++) {
      seen.push(ui.tvPoints!(bench.table, bench.model));
      await pass(100);
    }
    expect(seen[0]).toEqual(totals.map(() => 0));
    expect(ui.tvPoints!(bench.table, bench.model)).toEqual(totals);
    expect(new Set(seen.map(String)).size).toBeGreaterThan(2);
    expect(scene(bench)).toBe(TvJury);
  });

  it('turns one card after another without motion, too', async () => {
    const bench = big(before, false);
    await hear(bench);
    await pass(1100 + 750); // after PULL
    expect([bench.model.jury.playing, bench.model.jury.shown.cards]).toEqual([true, 1]);
    expect(ui.tvPoints!(bench.table, bench.model)).toEqual(before.view.hands.map(() => 0));
    await pass(700);
    expect(bench.model.jury.shown.cards).toBe(2);
    await pass(90_000);
    expect(bench.model.jury.playing).toBe(false);
    expect(ui.tvPoints!(bench.table, bench.model)).toEqual(jury.position.view.points.at(-1)!);
  });

  it('goes on where the jury is after a reload', async () => {
    const bench = big(before);
    await hear(bench);
    await pass(1100 + 9000);
    const { jump: shown } = bench.model.jury;
    expect(shown).toBeGreaterThan(0);
    const reloaded = big(jury.position);
    reloaded.store.clock = { kind: 'phase', left: 51, of: 60, running: true, seats: [], received: performance.now() };
    expect(durationOf(jury.position.view.jury, true)).toBeGreaterThan(9000);
    resume(reloaded.table, reloaded.model);
    await settle();
    expect([reloaded.model.jury.playing, reloaded.model.jury.jump]).toEqual([true, shown]);
    const container = reloaded.draw(TvJury);
    expect(container.querySelectorAll('.jumps li')[0]!.textContent).toMatch(/\+\d|–/);
    expect(container.querySelector('.jumps .current')!.textContent).toContain(
      String(jury.position.view.jury.jumps[shown]!.jump.number),
    );
  });

  it('does not replay a jury that is over', async () => {
    const bench = big(jury.position);
    bench.store.clock = { kind: 'phase', left: 1, of: 60, running: true, seats: [], received: performance.now() };
    resume(bench.table, bench.model);
    await settle();
    expect(bench.model.jury.playing).toBe(false);
    const container = bench.draw(TvJury);
    expect(container.textContent).toContain('Next plane: all ready, or in 0:01');
    expect(container.querySelectorAll('.jumps li')).toHaveLength(jury.position.view.jury.jumps.length);
  });
});

test('the headline says what to do, and to few by name', () => {
  const headline = (phase: string, people: number[]): string | null => {
    const bench = big({ ...before, view: { ...before.view, phase } });
    return ui.tvPrompt!(bench.table, bench.model, people);
  };
  expect(headline('plane', [0, 1, 2, 3])).toBe('Talk! Promise! Lie!');
  expect(headline('jump', [0, 1, 2])).toBe('Lay your cards!');
  expect(headline('jump', [1])).toMatch(/^Lay your cards, .+!$/);
  expect(headline('over', [])).toBe(null);
});

test('captions explain the phases of the first jumprun only', () => {
  const caption = (change: Partial<View>): string | null =>
    ui.tvCaption!(big({ ...before, view: { ...before.view, ...change } }).table, null as never);
  expect(caption({ phase: 'plane', jumprun: 1, points: [] })).toContain('exactly its number');
  expect(caption({ phase: 'plane', jumprun: 2, points: [[0, 0, 0, 0, 0]] })).toBe(null);
});
