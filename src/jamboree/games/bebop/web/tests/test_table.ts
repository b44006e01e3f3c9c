/** The test table of all games, with Bebop on it. */
import { Bench as AnyBench, stepOf, updates, type Position as AnyPosition, type Update } from '$tests/test_table';
import ui from '../index';
import type { BebopModel } from '../model/model.svelte';
import type { Action, Event, View } from '../model/wire';

export type Position = AnyPosition<View>;

export const steps = (name: string): Update<View, Event>[] => updates(name);

export class Bench extends AnyBench<View, Action, Event, BebopModel> {
  constructor(name: string, position: Position, language: 'en' | 'nl' = 'en') {
    super(ui, name, position, language);
    this.points = Array<number>(position.view.seats).fill(3);
  }
}

/** A bench at the first step at which I am asked in a phase, as far as the test wants. */
export function asked(name: string, phase: string, fits: (position: Position) => boolean = () => true): Bench {
  const wanted = ({ position }: Update<View, Event>): boolean =>
    position.legal.length > 0 && position.view.phase === phase && fits(position);
  return new Bench(name, stepOf<View, Event>(name, wanted).position);
}
