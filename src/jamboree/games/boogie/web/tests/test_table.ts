/** The test table of all games, with Boogie Beasts on it. Moves stay unanswered until a test lets them arrive. */
import { Bench as AnyBench, stepOf, type Position, type Update } from '$tests/test_table';
import ui from '../index';
import type { BoogieModel } from '../model/model.svelte';
import type { Action, Event, View } from '../model/wire';

export class Bench extends AnyBench<View, Action, Event, BoogieModel> {
  constructor(name: string, position: Position<View>) {
    super(ui, name, position);
    this.holding = true;
  }
}

/** A bench at the first moment of a game that is as wanted. */
export function benchAt(name: string, wanted: (step: Update<View, Event>) => boolean): Bench {
  return new Bench(name, stepOf(name, wanted).position);
}
