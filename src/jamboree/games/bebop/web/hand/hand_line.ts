/** The line above the hand: what is selected, and what to press next. */
import { dieName, power, tileName } from '../model/wording';
import type { BebopModel } from '../model/model.svelte';
import type { Table } from '../model/wire';

export function handLine(table: Table, model: BebopModel): string {
  const { hex, piece } = model;
  if (hex) return table.t('web.for-hex', { hex });
  if (!piece) return table.canAct ? table.t(`web.how.${phase(table, model)}`) : '';
  const name = piece.kind === 'die' ? nameOfDie(table, model, piece.die) : tileName(table, piece.tile, model.faceDown);
  return table.t('web.picked', { piece: name, next: next(table, model) });
}

function next(table: Table, model: BebopModel): string {
  const piece = model.piece!;
  if (!model.targets.size) return table.t(`web.nowhere.${piece.kind}`);
  if (piece.kind === 'tile' && piece.tile !== 'basic') return power(table, piece.tile, model.faceDown);
  return table.t(`web.now-pick.${piece.kind}`);
}

function nameOfDie(table: Table, model: BebopModel, die: number): string {
  const held = table.me === null ? undefined : model.view.hands[table.me]?.dice?.[die];
  return held ? dieName(table, held) : '';
}

/** What kind of piece can be pressed. */
function phase(table: Table, model: BebopModel): string {
  if (model.phase !== 'turn') return model.phase;
  const [claims, books] = [table.offers('ClaimSeat').length, table.offers('BookSeat').length];
  return claims && books ? 'turn' : books ? 'turn.book' : 'turn.claim';
}
