/** What taking a move back would mean now, said before it is asked for. */
import { list, t } from '$lib/i18n.svelte';
import type { Room } from '$lib/room.svelte';
import { catalogue } from '../net/catalogue.svelte';

export interface Outlook {
  possible: boolean;
  label: string;
}

/** The other players who are there: without them nobody has to agree. */
export function others({ seen, you }: Room): string[] {
  const people = seen?.people ?? [];
  return people.filter((one) => one.seat !== null && one.here && one.person !== you.person).map(({ name }) => name);
}

export function outlook(room: Room): Outlook {
  const never = (label: string): Outlook => ({ possible: false, label });
  if (room.seen?.undo_asked) return never(t('undo.discussed'));
  if (catalogue.find(room.seen?.game ?? '')?.undo === false) return never(t('undo.game'));
  if (!room.undo) return never(t('undo.none'));
  const { rule, steps } = room.undo;
  if (rule === 'never') return never(t('undo.hidden'));
  const asked = rule === 'consent' ? others(room) : [];
  if (asked.length) return { possible: true, label: t('undo.ask', { names: list(asked) }) };
  return { possible: true, label: steps > 1 ? t('undo.more', { count: steps - 1 }) : t('undo') };
}
