/** Players who are absent, and what the reader may do about it. */
import { t } from '$lib/i18n.svelte';
import type { TableState } from '$lib/table/table_state.svelte';
import type { PersonInfo } from '../net/wire';

export interface Missing {
  sentence: string;
  person: string;
  mayNudge: boolean;
  mayVote: boolean;
  voted: boolean; // I have voted for a bot
}

export function minutes(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The question whether I am still there; '' if it has not been asked. */
export function presenceQuestion({ store }: TableState): string {
  const by = store.person(store.nudgedBy)?.name;
  if (by) return t('idle.nudged', { name: by });
  return store.person(store.you.person ?? '')?.inactive ? t('idle.there') : '';
}

/** The first awaited player who is absent or inactive. */
export function absentPlayer(table: TableState): Missing | null {
  const { store } = table;
  const someone = table.actors
    .map((seat) => store.personAt(seat))
    .find((one) => one && isMissed(one, store.you.person));
  if (!table.playing || !someone) return null;
  const playing = table.me !== null;
  const idle = store.table?.house_rules.idle ?? 'wait';
  return {
    sentence: about(table, someone),
    person: someone.person,
    mayNudge: playing && someone.connected && idle !== 'wait',
    mayVote: playing && idle === 'vote',
    voted: someone.votes.includes(store.you.person ?? ''),
  };
}

/** The label of a seat: absent with the time left, or inactive; '' otherwise. `brief`: for a narrow card. */
export function seatLabel(table: TableState, seat: number, brief = false): string {
  const one = table.store.personAt(seat);
  if (!one || !table.playing) return '';
  if (one.bot_plays) return t(brief ? 'seat.stood-in.brief' : 'seat.stood-in');
  if (one.connected) return one.inactive ? t('seat.quiet') : '';
  const left = table.botIn(seat);
  return left === null ? t('seat.away') : t(brief ? 'seat.away.in.brief' : 'seat.away.in', { time: minutes(left) });
}

function isMissed(one: PersonInfo, me: string | null): boolean {
  return one.person !== me && !one.bot_plays && (one.inactive || !one.connected);
}

function about(table: TableState, one: PersonInfo): string {
  const name = one.name;
  const votes = one.votes.length ? ` ${t('idle.votes', { count: one.votes.length })}` : '';
  if (one.connected) return t('idle.quiet', { name }) + votes;
  const left = table.botIn(one.seat ?? 0);
  return (left === null ? t('idle.away', { name }) : t('idle.bot-in', { name, time: minutes(left) })) + votes;
}
