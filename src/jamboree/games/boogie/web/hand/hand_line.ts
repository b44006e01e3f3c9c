/** The line above the hand: the card or jump that is selected, or the card that was laid last. */
import type { BoogieModel } from '../model/model.svelte';
import { jumpKey } from '../model/cards';
import { cardName, jumpTitle } from '../model/wording';
import type { Table } from '../model/wire';

export function handLine(table: Table, { jumps, laying }: BoogieModel): string {
  if (table.me === null || !laying.open) return '';
  if (laying.picked) return table.t('web.line.picked', { card: cardName(table, laying.picked) });
  const aimed = jumps.find((jump) => jumpKey(jump) === laying.aimed);
  if (aimed) return table.t('web.line.aimed', { jump: jumpTitle(table, aimed) });
  const mine = table.view.plays.filter(({ seat, card }) => seat === table.me && card);
  const laid = laying.flying.at(-1) ?? mine.at(-1);
  if (!laid?.card) return table.t('web.line.first');
  return table.t('web.line.laid', { jump: jumpTitle(table, laid.jump), card: cardName(table, laid.card) });
}
