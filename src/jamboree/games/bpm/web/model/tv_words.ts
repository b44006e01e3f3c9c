/** What a big screen says during a phase: what to do, and in the first round how it works. */
import type { Seat } from '$lib/contract';
import { list } from '$lib/i18n.svelte';
import type { BpmTable } from './wire';

const FEW = 2; // players still choosing, who are then named

export function tvPrompt(table: BpmTable, people: Seat[]): string | null {
  const { phase, round, moves, places } = table.view;
  const names = list(people.map((seat) => table.name(seat)));
  if (phase === 'setlist' || phase === 'cue') {
    const late =
      people.length <= FEW && people.length < table.view.hands.filter((_, seat) => !table.isBot(seat)).length;
    return table.t(`web.tv.${phase}${late ? '.late' : ''}`, { names, round });
  }
  if (phase !== 'song') return phase === 'over' ? null : table.t(`web.tv.${phase}`, { names });
  if (moves && places) return table.t('web.tv.song', { names });
  return table.t(moves ? 'web.tv.song.moves' : 'web.tv.song.places', { names });
}

export function tvCaption(table: BpmTable): string | null {
  const { view } = table;
  return view.round > 1 || view.phase === 'over' ? null : table.t(`web.tv.how.${view.phase}`);
}
