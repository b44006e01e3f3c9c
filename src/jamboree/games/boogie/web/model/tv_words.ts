/** What a big screen says during a phase: what to do, how it works, and what the clock counts down to. */
import type { Seat } from '$lib/contract';
import { list } from '$lib/i18n.svelte';
import type { Table } from './wire';

const FEW = 2; // players still awaited, who are then named

export function tvPrompt(table: Table, people: Seat[]): string | null {
  const { phase, jumprun } = table.view;
  const names = list(people.map((seat) => table.name(seat)));
  const late = people.length <= FEW && people.length < table.view.hands.filter((_, seat) => !table.isBot(seat)).length;
  if (phase === 'preparation') return table.t('web.tv.ground', { jumprun });
  if (phase === 'plane') return late ? table.t('web.tv.plane.late', { names }) : table.t('web.tv.plane');
  if (phase === 'jump') return late ? table.t('web.tv.jump.late', { names }) : table.t('web.tv.jump');
  return phase === 'pulled' ? table.t('web.pull') : null;
}

export function tvCaption(table: Table): string | null {
  const { view } = table;
  if (view.jumprun > 1 || view.points.length) return null;
  return ['preparation', 'plane', 'jump'].includes(view.phase) ? table.t(`web.tv.how.${view.phase}`) : null;
}

export function tvClock(table: Table): string | null {
  const { phase } = table.view;
  return ['preparation', 'plane', 'jump'].includes(phase) ? table.t(`web.tv.until.${phase}`) : null;
}
