/** Captions over the board while a stage performs, and during the final scoring of the families. */
import type { BebopModel, Scene } from '../model/model.svelte';
import { featureLine, majorityLine } from '../model/wording';
import type { EventOf } from '../model/wire';

export const QUIET: Omit<Scene, 'title'> = { line: '', counting: [], winning: [], paid: [], ends: false };

/** Caption of a stage's token: its audience, and the stage's points so far. */
export function performed(model: BebopModel, event: EventOf<'FeatureScored'>, scored = false): Scene {
  return {
    title: model.table.t('web.scene.stage', { stage: event.stage }),
    line: featureLine(model.table, event),
    counting: scored ? [] : event.listeners.flat(),
    winning: scored ? [] : event.winners.flatMap((seat) => event.listeners[seat] ?? []),
    paid: model.stages.get(event.stage)?.paid ?? [],
    ends: false,
  };
}

/** Caption of a family's feature at the end: the counting dice, and the family's points so far. */
export function counted(model: BebopModel, event: EventOf<'MajorityScored'>, scored = false): Scene {
  const title = model.table.t('web.scene.family', { colour: model.table.t(`colour.${event.colour}`) });
  const before = model.scene?.title === title ? model.scene.paid : [];
  const counting = event.family.filter((hex) => faceOn(model, hex) === event.feature);
  return {
    title,
    line: majorityLine(model.table, event),
    counting,
    winning: counting.filter((hex) => event.winners.includes(model.tiles.get(hex)?.seat ?? -1)),
    paid: scored ? event.points.map((points, seat) => points + (before[seat] ?? 0)) : before,
    ends: true,
  };
}

const faceOn = (model: BebopModel, hex: string): string | undefined =>
  (model.tiles.get(hex)?.die ?? model.hexAt(hex)?.die)?.face;
