/** Plays the jury of a position instead of a step's events: after a reload in mid-jury, and without motion. */
import type { Scene } from '$lib/contract';
import type { BoogieModel } from '../../../model/model.svelte';
import type { Event, JumpSeen, Table, View } from '../../../model/wire';
import { animate } from '../../../animation/animate';
import { durationOf } from '../jury.svelte';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Continue the jury that runs while this screen is opened; its clock says since when. */
export function resume(table: Table, model: BoogieModel): void {
  const { view, clock } = table;
  if (!table.onScreen || view.phase !== 'preparation' || clock?.kind !== 'phase' || !clock.running) return;
  const elapsed = (clock.of - clock.left) * 1000;
  if (view.jury.jumps.length && elapsed < durationOf(view.jury, table.party)) playFrom(table, model, view, elapsed);
}

/** Play the jury of a view as if it had begun some milliseconds ago: steps that are due already are shown at once. */
export function playFrom(table: Table, model: BoogieModel, view: View, elapsed: number): void {
  if (model.jury.playing) return;
  model.jury.detached = true;
  void play(sceneOf(table, view, elapsed), table, model);
}

async function play(scene: Scene<View>, table: Table, model: BoogieModel): Promise<void> {
  const { jury, points } = scene.after;
  const totals = points.at(-1)!;
  for (const judged of jury.jumps) for (const event of eventsOf(judged)) await animate(event, scene, table, model);
  const scored: Event = { type: 'JumprunScored', jumprun: points.length, points: totals, totals };
  await animate(scored, scene, table, model);
}

/** A scene in which only time passes. */
function sceneOf(table: Table, view: View, elapsed: number): Scene<View> {
  let late = true; // until all due steps have been shown
  const nothing = (): Promise<void> => Promise.resolve();
  const wait = (milliseconds: number): Promise<void> => ((late = false), sleep(milliseconds));
  return {
    before: view,
    after: view,
    animated: true,
    receivedAt: performance.now(),
    due: performance.now() - elapsed,
    elementAt: () => null,
    showAfter: () => undefined,
    fly: nothing,
    floatPoints: nothing,
    pulse: nothing,
    animate: nothing,
    wait,
    pauseToRead: wait,
    sound: (name) => {
      if (!late) table.sound(name);
    },
  };
}

/** The events in which the rules announce a jump. */
export function eventsOf(judged: JumpSeen): Event[] {
  const { jump, characters, jumpcards, jumpers, eyes, points, refused } = judged;
  const removed = [...new Set(characters.map(({ seat }) => seat))].filter(
    (seat) => judged.disqualified.includes(seat) || judged.late.includes(seat),
  );
  const events: Event[] = [{ type: 'CardsTurned', jump, characters, jumpcards }];
  for (const seat of removed) events.push({ type: 'CharactersRemoved', jump, seat, late: judged.late.includes(seat) });
  if (refused.length) events.push({ type: 'FiguresRefused', jump, cards: refused });
  events.push({
    type: 'JumpersCounted',
    jump,
    sure: judged.sure,
    maybe: judged.maybe,
    verdict: judged.verdict,
    jumpers,
  });
  if (eyes.length) {
    const { dice, difficulty, potential, percent } = judged;
    events.push({ type: 'DifficultySet', jump, dice, difficulty, potential, percent });
    events.push({ type: 'DiceRolled', jump, eyes, total: eyes.reduce((sum, one) => sum + one, 0) });
  }
  if (jumpers.length) events.push({ type: 'JumpScored', jump, result: judged.verdict, jumpers, points });
  return events;
}
