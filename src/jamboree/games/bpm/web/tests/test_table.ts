/** The test table of all games, with BPMs Per Minute on it. */
import { Bench as AnyBench, stepOf, type Update as AnyUpdate } from '$tests/test_table';
import type { BpmModel } from '../model/model.svelte';
import ui from '../index';
import type { Action, Event, View } from '../model/wire';

export type Update = AnyUpdate<View, Event>;

export class Bench extends AnyBench<View, Action, Event, BpmModel> {
  constructor(name: string, wanted: (view: View, step: Update) => boolean, language: 'en' | 'nl' = 'en') {
    const { position } = stepOf<View, Event>(name, (step) => wanted(step.position.view, step));
    super(ui, name, position, language);
    this.points = [0, 0, 0, 0];
  }
}

/** The first moment at which I am asked in a phase. */
export function asked(phase: string, type?: Action['type']): (view: View, step: Update) => boolean {
  return (view, { position: { legal } }) =>
    view.phase === phase && legal.length > 0 && (!type || legal.some((offer) => offer.action === type));
}
