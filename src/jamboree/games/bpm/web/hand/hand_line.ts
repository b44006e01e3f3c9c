/** The line above the hand: what to press next. */
import type { BpmModel } from '../model/model.svelte';
import type { BpmTable } from '../model/wire';

export function handLine(table: BpmTable, club: BpmModel): string {
  const { mode, view } = club;
  if (view.phase === 'setlist' && table.me !== null) {
    const sealed = view.sealed[table.me]?.done && !club.discard;
    return sealed ? '' : table.t('web.hint.setlist', { count: club.atHome.length });
  }
  if (view.phase === 'cue' && !club.drop && table.me !== null) return cueing(table, club);
  if (mode === 'swap' && club.held) return table.t('web.hint.swap.held');
  if (mode === 'place' && club.owner !== table.me) return table.t('web.hint.gift', { name: table.name(club.owner) });
  return mode ? table.t(`web.hint.${mode}`) : '';
}

function cueing(table: BpmTable, club: BpmModel): string {
  const cued = club.hand[club.mySealed[0] ?? -1];
  const changes = table.me === null ? 0 : (club.view.sealed[table.me]?.changes ?? 0);
  const last = club.hand.length < 2;
  if (cued) return table.t(changes && !last ? 'web.hint.cued' : 'web.hint.cued.final', { title: cued.title });
  return table.offers('CueSong').length ? table.t('web.hint.cue') : '';
}
