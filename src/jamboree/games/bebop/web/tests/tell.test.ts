import type { Scene } from '$lib/contract';
import { expect, it } from 'vitest';
import { Bench, steps } from './bench';
import { sounds } from '../story/sounds';
import { tell } from '../story/tell';
import type { View } from '../model/wire';

/** A stage on which nothing moves, and which keeps what was to be heard and to fly. */
class Still implements Scene<View> {
  readonly heard: string[] = [];
  readonly flown: string[] = [];
  readonly moving = false;
  constructor(
    readonly before: View,
    readonly after: View,
  ) {}
  at = (): null => null;
  show = (): void => undefined;
  fly = async (symbol: string): Promise<void> => void this.flown.push(symbol);
  rise = async (): Promise<void> => undefined;
  pulse = async (): Promise<void> => undefined;
  animate = async (): Promise<void> => undefined;
  wait = async (): Promise<void> => undefined;
  hold = async (): Promise<void> => undefined;
  sound = (name: string): void => void this.heard.push(name);
}

it.each(['bebop-4', 'bebop-2'])('tells the whole of %s, and arrives where the game is', async (name) => {
  const all = steps(name);
  const sheet = new Set<string>();
  for (const [number, step] of all.entries()) {
    const before = all[number - 1]?.position;
    if (!before) continue;
    const { table, model } = new Bench(name, before);
    const scene = new Still(before.view, step.position.view);
    for (const event of step.events) await tell(event, scene, table, model);
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

it('keeps what somebody gained until they move again', () => {
  const { model } = new Bench('bebop-4', steps('bebop-4')[0]!.position);
  const die = { colour: 'red', face: 'keys' };
  model.tell({ type: 'FamilyScored', seat: 1, die, family: ['a1', 'a2'], matching: ['a1', 'a2'], points: 2 });
  expect(model.gains).toEqual([0, 2, 0, 0]);
  model.tell({ type: 'SeatClaimed', seat: 2, tile: 'basic', hex: 'a1', face_down: false });
  expect(model.gains[1]).toBe(2);
  model.tell({ type: 'SeatClaimed', seat: 1, tile: 'basic', hex: 'a2', face_down: false });
  expect(model.gains[1]).toBe(0);
});
