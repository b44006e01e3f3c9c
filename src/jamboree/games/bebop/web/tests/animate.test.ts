import type { Scene } from '$lib/contract';
import { expect, it } from 'vitest';
import { settle } from '$tests/test_table';
import { Bench, steps, type Position } from './test_table';
import Board from '../board/Board.svelte';
import ui from '../index';
import type { Scene as Shown } from '../model/model.svelte';
import { sounds } from '../animation/sounds';
import { animate } from '../animation/animate';
import type { Event, EventOf, View } from '../model/wire';

/** A stage on which nothing moves, and which keeps what was to be heard and to fly. */
class Still implements Scene<View> {
  readonly heard: string[] = [];
  readonly flown: string[] = [];
  animated = false;
  readonly receivedAt = 0;
  constructor(
    readonly before: View,
    readonly after: View,
    private readonly looked: () => void = () => undefined, // at what stands there while the story waits
  ) {}
  elementAt = (): null => null;
  showAfter = (): void => undefined;
  fly = async (symbol: string): Promise<void> => void this.flown.push(symbol);
  floatPoints = async (): Promise<void> => undefined;
  pulse = async (): Promise<void> => undefined;
  animate = async (): Promise<void> => undefined;
  wait = async (): Promise<void> => undefined;
  pauseToRead = async (): Promise<void> => this.looked();
  sound = (name: string): void => void this.heard.push(name);
}

it.each(['bebop-4', 'bebop-2'])('animates all of %s, and ends at the position of the game', async (name) => {
  const all = steps(name);
  const sheet = new Set<string>();
  for (const [number, step] of all.entries()) {
    const before = all[number - 1]?.position;
    if (!before) continue;
    const { table, model } = new Bench(name, before);
    const scene = new Still(before.view, step.position.view);
    for (const event of step.events) await animate(event, scene, table, model);
    const totals = step.position.view.points.map((own) => own.families + own.stages + own.majorities);
    expect(
      totals.map((_, seat) => model.score(seat)),
      `step ${number}`,
    ).toEqual(totals);
    expect(model.playing).toBeNull();
    expect(scene.heard.filter((sound) => !sounds[sound])).toEqual([]);
    for (const drawing of scene.flown) for (const layer of drawing.split(' ')) sheet.add(layer);
  }
  const { default: drawn } = await import('../sheet.svg?raw');
  for (const symbol of sheet) expect(drawn).toContain(`id="${symbol}"`);
});

it('shows the points a player gained until that player moves again', () => {
  const { model } = new Bench('bebop-4', steps('bebop-4')[0]!.position);
  const die = { colour: 'red', face: 'keys' };
  model.apply({ type: 'FamilyScored', seat: 1, die, family: ['a1', 'a2'], matching: ['a1', 'a2'], points: 2 });
  expect(model.gains).toEqual([0, 2, 0, 0]);
  model.apply({ type: 'SeatClaimed', seat: 2, tile: 'basic', hex: 'a1', face_down: false });
  expect(model.gains[1]).toBe(2);
  model.apply({ type: 'SeatClaimed', seat: 1, tile: 'basic', hex: 'a2', face_down: false });
  expect(model.gains[1]).toBe(0);
});

it('drops gained points when the position is replaced, for example by another lesson', () => {
  const bench = new Bench('bebop-4', steps('bebop-4')[0]!.position);
  const die = { colour: 'red', face: 'keys' };
  bench.model.apply({ type: 'FamilyScored', seat: 1, die, family: ['a1', 'a2'], matching: ['a1', 'a2'], points: 2 });
  bench.change({});
  expect(bench.model.score(1)).toBe(0);
  expect(bench.model.gains).toEqual([]);
});

/** Everything that was written over the board while a step was told. */
async function scenes(before: Position, events: Event[]): Promise<{ shown: Shown[]; bench: Bench }> {
  const bench = new Bench('bebop-4', before);
  const shown: Shown[] = [];
  const scene = new Still(before.view, before.view, () => bench.model.scene && shown.push(bench.model.scene));
  for (const event of events) await animate(event, scene, bench.table, bench.model);
  return { shown, bench };
}

const all = steps('bebop-4');
const stepWith = (type: Event['type']): number =>
  all.findIndex(({ events }) => events.some((one) => one.type === type));
const of = <T extends Event['type']>(events: Event[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

it('animates the final scoring colour by colour, with the dice and points of each', async () => {
  const at = stepWith('MajorityScored');
  const { events } = all[at]!;
  const { shown, bench } = await scenes(all[at - 1]!.position, events);
  const titles = shown.map(({ title }) => title).filter((title, n, list) => title !== list[n - 1]);
  const majorities = of(events, 'MajorityScored');
  const colours = [...new Set(majorities.map(({ colour }) => colour))];
  expect(titles.slice(-colours.length)).toEqual(colours.map((colour) => `The end: the ${colour} family`));
  for (const colour of colours) {
    const own = majorities.filter((event) => event.colour === colour);
    const paid = shown.findLast(({ title }) => title.includes(colour))!.paid;
    expect(paid).toEqual(own[0]!.points.map((_, seat) => own.reduce((sum, event) => sum + event.points[seat]!, 0)));
  }
  expect(shown.every(({ title, ends }) => ends === title.startsWith('The end'))).toBe(true);
  const first = shown.find(({ title }) => title === `The end: the ${colours[0]} family`)!;
  expect(first.counting).toHaveLength(majorities[0]!.counts.reduce((sum, own) => sum + own, majorities[0]!.printed));
  const end = majorities[0]!.points.map((_, seat) => majorities.reduce((sum, event) => sum + event.points[seat]!, 0));
  expect(bench.model.gains).toEqual(end);
  expect(bench.model.scene).toBeNull();
});

it('announces a stage, marks its audience, and shows only its own points', async () => {
  const at = stepWith('StagePerformed');
  const { events } = all[at]!;
  const { shown } = await scenes(all[at - 1]!.position, events);
  const { stage } = of(events, 'StagePerformed')[0]!;
  const features = of(events, 'FeatureScored').filter((event) => event.stage === stage);
  expect(shown[0]!.title).toBe(`Stage ${stage} plays!`);
  expect(shown[1]!.counting).toEqual(features[0]!.listeners.flat());
  const paid = (seat: number): number =>
    features.reduce((sum, event) => sum + (event.winners.includes(seat) ? event.points : 0), 0);
  expect(shown.findLast(({ title }) => title.includes(`Stage ${stage}`))!.paid).toEqual([0, 1, 2, 3].map(paid));
});

it.each([true, false])('zooms in on a move only if the hexes are tiny (tiny: %s)', async (tiny) => {
  const bench = new Bench('bebop-4', all[0]!.position);
  const { name: hex } = bench.model.board.hexes[0]!;
  const near: string[][] = [];
  const scene = new Still(bench.table.view, bench.table.view);
  scene.animated = true;
  scene.wait = async () => void near.push(bench.model.inSight);
  bench.model.tiny = tiny;
  const event: Event = { type: 'SeatClaimed', seat: 1, tile: 'basic', hex, face_down: false };
  await animate(event, scene, bench.table, bench.model);
  expect(near).toEqual(tiny ? [[hex]] : []);
  bench.change({});
  expect(bench.model.inSight).toEqual([]);
});

it('shows the caption instead of the prompt', () => {
  const { table, model } = new Bench('bebop-4', all[0]!.position);
  expect(ui.prompt!(table, model)).toBeNull();
  model.show({ title: 'Stage D plays!', line: '', counting: [], winning: [], paid: [], ends: false });
  expect(ui.prompt!(table, model)).toBe('Stage D plays!');
});

it('places the caption where it covers none of its hexes', async () => {
  const bench = new Bench('bebop-4', all[0]!.position);
  bench.draw(Board);
  const { hexes } = bench.model.board;
  const below = async (counting: string[]): Promise<boolean> => {
    bench.model.show({ title: 'The end', line: '', counting, winning: [], paid: [], ends: false });
    await settle();
    return document.querySelector('.scene')!.classList.contains('below');
  };
  expect(await below([hexes[0]!.name])).toBe(true);
  expect(await below([hexes.at(-1)!.name])).toBe(false);
});

it('does not prompt me while my last move is animated', () => {
  const bench = new Bench('bebop-4', { ...all[0]!.position, actors: [0] });
  bench.store.table = { ...bench.store.table!, status: 'finished' };
  expect(bench.table.prompt).toBe('One moment …');
});
