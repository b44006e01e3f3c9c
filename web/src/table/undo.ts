/** The consequences of an undo request, shown before it is made. */
import { list, t } from '$lib/i18n.svelte';
import type { TableStore } from '$lib/table/table_store.svelte';
import { catalogue } from '../net/catalogue.svelte';
import type { PersonInfo } from '../net/wire';

export interface UndoState {
  possible: boolean;
  label: string;
}

/** All players but one, present or absent; without those who have left. */
export function otherPlayers(store: TableStore, besides: string | null): PersonInfo[] {
  return (store.table?.people ?? []).filter((one) => one.seat !== null && !one.left && one.person !== besides);
}

/** Names, absent players marked. */
export function named(people: PersonInfo[]): string {
  return list(people.map(({ name, connected }) => (connected ? name : t('undo.away', { name }))));
}

export interface Discussion {
  sentence: string;
  toAnswer: boolean; // my consent is needed
  mine: boolean; // I have requested it
}

/** The state of an undo request: who asks, and whose answers are missing. */
export function undoRequestText(store: TableStore): Discussion | null {
  const wish = store.table?.undo_asked;
  if (!wish) return null;
  const answered = [...wish.agreed, ...wish.refused];
  const silent = otherPlayers(store, wish.person).filter(({ person }) => !answered.includes(person));
  const mine = wish.person === store.you.person;
  const toAnswer = silent.some(({ person }) => person === store.you.person);
  const name = store.person(wish.person)?.name ?? '';
  if (toAnswer) return { sentence: t('undo.asked', { name }), toAnswer, mine };
  const waiting = { names: named(silent), name, agreed: wish.agreed.length, needed: majority(wish.needed.length) };
  const rule = store.table?.consent === 'majority' ? 'majority' : 'waiting';
  return { sentence: t(mine ? `undo.mine.${rule}` : `undo.${rule}`, waiting), toAnswer, mine };
}

/** The result of the last undo request, for everybody else; '' if there is none. */
export function undoResultText(store: TableStore): string {
  const failed = store.table?.undo_failed;
  const me = store.you.person;
  if (!failed) return '';
  const { person, reason, refused } = failed;
  if (reason === 'withdrawn' ? person === me : refused.length === 1 && refused[0] === me) return '';
  const names = list(refused.map((one) => store.person(one)?.name ?? ''));
  const params = { name: store.person(person)?.name ?? '', names, count: refused.length };
  return t(reason !== 'withdrawn' && person === me ? `undo.mine.${reason}` : `undo.${reason}`, params);
}

const majority = (voters: number): number => Math.floor(voters / 2) + 1;

export function undoState(store: TableStore): UndoState {
  const never = (label: string): UndoState => ({ possible: false, label });
  if (store.table?.undo_asked) return never(t('undo.discussed'));
  if (catalogue.find(store.table?.game ?? '')?.undo === false) return never(t('undo.game'));
  if (!store.undo) return never(t('undo.none'));
  const { rule, later = 0 } = store.undo;
  if (rule === 'never') return never(t('undo.hidden'));
  const voters = rule === 'consent' ? otherPlayers(store, store.you.person) : [];
  if (voters.length) return { possible: true, label: t('undo.ask', { names: named(voters) }) };
  return { possible: true, label: later ? t('undo.more', { count: later }) : t('undo') };
}
