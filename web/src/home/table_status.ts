/** One-line status of a table for the first page: whose turn it is, who is missing, who won. */
import { list, t } from '$lib/i18n.svelte';
import { catalogue } from '../net/catalogue.svelte';
import type { TableResponse } from '../net/wire';

export function isMyTurn({ status, paused, you, actors }: TableResponse): boolean {
  return status === 'playing' && paused !== 'yes' && you.seat !== null && actors.includes(you.seat);
}

export function byTurn(tables: TableResponse[]): TableResponse[] {
  const rank = (table: TableResponse): number => (isMyTurn(table) ? 0 : table.status === 'playing' ? 1 : 2);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

export function statusLine(table: TableResponse): string {
  if (table.status === 'finished') return wonBy(winners(table));
  if (table.status !== 'playing') return gathering(table);
  if (isMyTurn(table)) return t('lists.turn');
  if (table.paused === 'yes') return t('lists.paused');
  const awaited = table.actors.flatMap((actor) => (typeof actor === 'number' ? nameAt(table, actor) : []));
  return awaited.length ? t('prompt.waiting', { names: list(awaited) }) : t('lists.going');
}

/** Game and players. */
export function gameAndPlayers(table: TableResponse): string {
  const others = sitting(table).flatMap(({ seat, name }) => (seat === table.you.seat ? [] : name));
  const game = catalogue.name(table.game);
  return others.length ? t('lists.with', { game, names: list(others) }) : game;
}

export function wonBy(names: string[]): string {
  if (!names.length) return t('lists.over');
  return t(names[0] === t('you') && names.length === 1 ? 'lists.you-won' : 'lists.won', { names: list(names) });
}

function winners(table: TableResponse): string[] {
  const seats = table.outcome?.winners ?? [];
  const mine = seats.some((seat) => seat === table.you.seat) ? [t('you')] : [];
  return [...mine, ...seats.flatMap((seat) => (seat === table.you.seat ? [] : nameAt(table, seat)))];
}

function gathering(table: TableResponse): string {
  const free = table.seats - sitting(table).length;
  return free ? t('lists.free', { count: free }) : t('lists.ready');
}

function sitting({ people, bots }: TableResponse): { seat: number | null; name: string }[] {
  return [...people.filter(({ seat }) => seat !== null), ...bots];
}

function nameAt(table: TableResponse, seat: number): string[] {
  return sitting(table).flatMap((one) => (one.seat === seat ? one.name : []));
}
