/** Names of pieces, hexes and stages in the reader's language. */
import { list } from '$lib/i18n.svelte';
import { COLOURS, type FamilyLead, type KnownDie, type StageLead, type Table, type EventOf, type Token } from './wire';
import type { BebopModel } from './model.svelte';

export function dieName(table: Table, die: KnownDie): string {
  if (!die.face) return table.t('web.blurred-die', { colour: table.t(`colour.${die.colour}`) });
  return table.t('die', { colour: table.t(`colour.${die.colour}`), face: table.t(`feature.${die.face}`) });
}

export function tokenName(table: Table, token: Token): string {
  const feature = table.t(`feature.${token.feature}`);
  return token.star ? table.t('star-token', { feature }) : feature;
}

export function tileName(table: Table, tile: string, faceDown = false): string {
  const name = table.t(`tile.${tile}`);
  return faceDown ? table.t('web.face-down', { tile: name }) : name;
}

/** The power of a seat; face down it has none. */
export function power(table: Table, tile: string, faceDown = false): string {
  return table.t(`web.power.${faceDown ? 'basic' : tile}`);
}

export function names(table: Table, seats: number[]): string {
  return list(seats.map((seat) => table.name(seat)));
}

/** Full description of a hex, for screen readers. */
export function hexName(model: BebopModel, name: string): string {
  const { table } = model;
  const target = model.targets.get(name);
  const points = target && model.points(target);
  const parts = [name, content(model, name), ...situation(model, name)];
  if (target) parts.push(table.t('web.hex.legal'));
  if (points) parts.push(table.t('web.hex.points', { count: points }));
  return parts.join(', ');
}

function content(model: BebopModel, name: string): string {
  const { table } = model;
  const [hex, tile] = [model.hexAt(name), model.tiles.get(name)];
  if (tile?.die) return table.t('web.hex.booked', { name: table.name(tile.seat), die: dieName(table, tile.die) });
  if (tile) {
    const kind = tileName(table, tile.tile, tile.face_down);
    return table.t('web.hex.open', { name: table.name(tile.seat), tile: kind });
  }
  if (hex?.die) return table.t('web.hex.printed', { die: dieName(table, hex.die) });
  if (hex?.stage) return stageSpace(model, hex.stage, name);
  return table.t(hex?.kind === 'vip' ? 'web.hex.vip' : 'web.hex.empty');
}

function stageSpace(model: BebopModel, letter: string, name: string): string {
  const { table } = model;
  const stage = model.stages.get(letter);
  const token = stage?.tokens[stage.spaces.indexOf(name)];
  if (!stage || !token) return table.t('web.hex.performed', { stage: letter });
  const values = { stage: letter, token: tokenName(table, token), count: stage.missing.length };
  return table.t('web.hex.stage', values);
}

/** Name of a die's family. */
function situation(model: BebopModel, name: string): string[] {
  const family = model.view.families.find((one) => one.hexes.length > 1 && one.hexes.includes(name));
  if (!family) return [];
  const values = { colour: model.table.t(`colour.${family.colour}`), count: family.hexes.length };
  return [model.table.t(family.banner ? 'web.hex.bannered' : 'web.hex.family', values)];
}

/** The leaders of a feature of a stage or family, and the points at stake. */
export function leadName(table: Table, lead: StageLead | FamilyLead): string {
  const feature = table.t(`feature.${lead.feature}`);
  if (!lead.leaders.length) return table.t('web.lead.nobody', { feature });
  const { points } = lead;
  const paid = lead.leaders.map((seat) => `${table.name(seat)} +${typeof points === 'number' ? points : points[seat]}`);
  return table.t('web.lead', { feature, names: list(paid) });
}

/** The points of a stage's token, and who gets them. */
export function featureLine(table: Table, event: EventOf<'FeatureScored'>): string {
  const values = { token: tokenName(table, event.token), value: event.value, points: event.points };
  if (!event.winners.length) return table.t('web.feature.nobody', values);
  const key = event.winners.length > 1 ? 'web.feature.tie' : 'web.feature';
  const counts = event.listeners.map((dice) => dice.length).sort((a, b) => b - a);
  return table.t(key, { ...values, names: names(table, event.winners), most: counts[0] ?? 0, next: counts[1] ?? 0 });
}

/** The majority of a feature in a family at the end. */
export function majorityLine(table: Table, event: EventOf<'MajorityScored'>): string {
  const feature = table.t(`feature.${event.feature}`);
  if (!event.winners.length) return table.t('web.scene.printed', { feature });
  const count = event.counts[event.winners[0]!] ?? 0;
  return table.t('web.scene.most', { feature, names: names(table, event.winners), count });
}

export const byColour = (a: { colour: string }, b: { colour: string }): number =>
  COLOURS.indexOf(a.colour) - COLOURS.indexOf(b.colour);
