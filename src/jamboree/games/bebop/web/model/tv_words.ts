/** The headline of a big screen: what the player whose turn it is has to do. */
import type { Seat } from '$lib/contract';
import { list } from '$lib/i18n.svelte';
import { OPEN_MAX, type Table } from './wire';

export function tvPrompt(table: Table, people: Seat[]): string | null {
  const { phase, tiles, turn } = table.view;
  if (phase === 'over') return null;
  const names = list(people.map((seat) => table.name(seat)));
  const open = tiles.filter((tile) => tile.seat === turn && tile.die === null).length;
  if (phase !== 'turn') return table.t(`web.tv.${phase.replaceAll(' ', '-')}`, { names });
  if (!open) return table.t('web.tv.turn.claim', { names });
  return table.t(open === OPEN_MAX ? 'web.tv.turn.book' : 'web.tv.turn', { names });
}
