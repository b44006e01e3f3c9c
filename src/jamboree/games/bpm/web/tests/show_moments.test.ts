import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { screen } from '$lib/screen.svelte';
import { updates } from '$tests/test_table';
import { Bench, type Update } from './test_table';
import Board from '../board/Board.svelte';
import Overlay from '../board/Overlay.svelte';
import { animate } from '../animation/animate';
import type { BpmScene, Event, View } from '../model/wire';

const STEPS = updates<View, Event>('bpm-4');
type Kind = Event['type'];

interface Played {
  bench: Bench;
  heard: string[]; // sounds, and what stood on the table at every pause
  seen: string[]; // all that was written at every pause
}

/** Tell a step on a stage on which nothing takes time. */
async function play(step: Update, moving: boolean, events: Event[] = step.events): Promise<Played> {
  const bench = new Bench('bpm-4', (_, frame) => STEPS[STEPS.indexOf(frame) + 1]?.seq === step.seq);
  const [heard, seen]: string[][] = [[], []];
  bench.draw(Board);
  const look = (how: string): Promise<void> => {
    flushSync();
    const { drop, combo, reveal } = bench.model;
    const shown = drop ? (drop.order ? 'in order' : drop.passed ? 'passed' : `count ${drop.count}`) : '';
    heard!.push(`${how} ${shown}${combo ? 'combo' : ''}${reveal ? `quests ${reveal.open}` : ''}`.trim());
    seen!.push(document.body.textContent!);
    return Promise.resolve();
  };
  const nothing = (): Promise<void> => Promise.resolve();
  const scene: BpmScene = {
    before: bench.table.view,
    after: step.position.view,
    animated: moving,
    receivedAt: 0,
    elementAt: () => null,
    showAfter: () => undefined,
    fly: nothing,
    floatPoints: nothing,
    pulse: nothing,
    animate: nothing,
    wait: () => (moving ? look('wait') : Promise.resolve()),
    pauseToRead: () => look('hold'),
    sound: (name) => heard!.push(name),
  };
  for (const event of events) await animate(event, scene, bench.table, bench.model);
  return { bench, heard: heard!, seen: seen! };
}

const first = (kind: Kind): Update => STEPS.find(({ events }) => events.some((event) => event.type === kind))!;
const told = <K extends Kind>(step: Update, kind: K) =>
  step.events.find((event) => event.type === kind) as Extract<Event, { type: K }>;

describe('the Drop', () => {
  const step = first('SongsDropped');
  const events = step.events.filter(({ type }) => type === 'SongsDropped' || type === 'OrderFound');

  it('counts down from 3, turns all songs over, and sorts them', async () => {
    const { bench, heard } = await play(step, true, events);
    const counts = ['wait count 3', 'wait count 2', 'wait count 1'];
    expect(heard).toEqual(['riser', ...counts, 'drop', 'wait count 0', 'hold in order']);
    expect(bench.model.drop).toBeNull();
    expect(bench.model.view.order).toEqual(step.position.view.order);
  });

  it.each([true, false])('holds all titles, tempos and players long enough to read (motion: %s)', async (moving) => {
    const { heard, seen, bench } = await play(step, moving, events);
    expect(heard.at(-1)).toBe('hold in order');
    for (const [seat, song] of told(step, 'SongsDropped').songs.entries())
      for (const text of [song.title, song.artist, `${song.bpm}`, bench.table.name(seat)])
        expect(seen.at(-1)).toContain(text);
  });

  it('is a single still picture without motion', async () => {
    const { heard, bench } = await play(step, false);
    expect(heard).toEqual(['hold in order']);
    expect(bench.model.drop).toBeNull();
    expect(bench.model.view.playing).toEqual(step.position.view.playing);
  });

  it.each([true, false])('shows my song on the table, not in my hand (motion: %s)', async (moving) => {
    const { bench } = await play(step, moving);
    const left = bench.model.hand;
    expect(left).toEqual(step.position.view.hands[0]!.songs);
    bench.model.drop = { songs: [left[0]!], count: 0, order: null, passed: false };
    expect(bench.model.hand).toHaveLength(left.length - 1);
  });

  it.each([
    [true, 'Tap to go on.'],
    [false, 'Tap, click or press Esc to go on.'],
  ])('explains how to skip it on this device (touch: %s)', async (touch, words) => {
    vi.spyOn(screen, 'touch', 'get').mockReturnValue(touch);
    const { seen } = await play(step, false, events);
    expect(seen.at(-1)).toContain(words);
    vi.restoreAllMocks();
  });

  it.each([
    [['order'], 'Fastest first'],
    [[], 'Slowest first'],
  ])('explains on a big screen who goes first, and why (bends: %s)', (bends, words) => {
    const bench = new Bench('bpm-4', (_, frame) => STEPS[STEPS.indexOf(frame) + 1]?.seq === step.seq);
    bench.shell.onScreen = true;
    bench.change({ bends });
    bench.model.drop = { songs: told(step, 'SongsDropped').songs, count: 0, order: [1, 0, 2, 3], passed: false };
    bench.draw(Overlay);
    expect(document.querySelector('.opens')!.textContent).toContain(words);
  });

  it('shows songs passing to the left, with their owners', async () => {
    const { songs } = told(step, 'SongsDropped');
    const passed = songs.map((_, seat) => songs[(seat + songs.length - 1) % songs.length]!);
    const passing: Event[] = [events[0]!, { type: 'SongsPassed', songs: passed }, events[1]!];
    const { heard, seen, bench } = await play(step, true, passing);
    expect(heard.slice(-5)).toEqual(['wait count 0', 'hold count 0', 'swap', 'hold passed', 'hold in order']);
    expect(seen.at(-2)).toContain('Pass the Aux');
    const names = [0, 1, 2, 3].map((seat) => bench.table.name(seat));
    for (const name of names) expect(seen.at(-1)).toContain(`${name} dropped it`);
  });
});

describe('a combo', () => {
  const step = first('ComboScored');
  const { superfans, seat, cells } = told(step, 'ComboScored');

  it.each([true, false])('is shown on its line with its points, and plays a sound (motion: %s)', async (moving) => {
    const { heard, seen, bench } = await play(step, moving);
    expect(heard.slice(0, 2)).toEqual(['combo', 'hold combo']);
    expect(seen[0]).toContain(`Combo! +${superfans.length * 2}`);
    expect(bench.model.combo).toBeNull();
  });

  it('highlights its fans and dims the others', async () => {
    const bench = new Bench('bpm-4', (_, frame) => STEPS[STEPS.indexOf(frame) + 1] === step);
    bench.model.combo = { seat, cells, points: 4 };
    bench.draw(Board);
    expect(document.querySelectorAll('.combo rect')).toHaveLength(cells.length);
    expect(document.querySelectorAll('g.dim')).toHaveLength(2 * (bench.model.pieces.length - cells.length));
  });
});

describe('the Fan Quests', () => {
  const step = first('QuestsRevealed');
  const { quests } = told(step, 'QuestsRevealed');

  it('are revealed one after another, with the points of each', async () => {
    const { heard, seen, bench } = await play(step, true);
    const opened = heard.filter((one) => one.includes('quests'));
    expect(opened).toEqual([...quests.map((_, seat) => `wait quests ${seat + 1}`), `hold quests ${quests.length}`]);
    for (const [seat, quest] of quests.entries()) {
      expect(seen.at(-1)).toContain(bench.table.t(`quest.${quest}`));
      expect(seen.at(-1)).toContain(`+${step.position.view.points[seat]!.quest}`);
    }
    expect(bench.model.reveal).toBeNull();
  });

  it('are revealed at once without motion', async () => {
    const { heard } = await play(step, false);
    expect(heard.filter((one) => one.includes('quests'))).toEqual([`hold quests ${quests.length}`]);
  });
});

describe('the Power Cut', () => {
  it('stops the record', async () => {
    const step = STEPS[1]!;
    const dark = { ...step.position.view, card: 'power-cut', bends: ['moves', 'breaks'] };
    const event: Event = { type: 'HypeRevealed', card: 'power-cut', seat: null, under: null };
    const { heard } = await play({ ...step, position: { ...step.position, view: dark } }, true, [event]);
    expect(heard).toContain('stop');
  });
});
