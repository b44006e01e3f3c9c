/** When a game was played, by whom, and how it ended. */
import { t, words } from '$lib/i18n.svelte';
import type { TableResponse } from '../net/wire';

const LOCALE = { en: 'en-GB', nl: 'nl-NL' }; // days before months, as in the games' texts

/** The seat that is called “you” after the game; null on a device that several people of the table share. */
export function readerOf({ you, device }: Pick<TableResponse, 'you' | 'device'>): number | null {
  return device && device.length > 1 ? null : you.seat;
}

/** The players' names by seat. */
export function namesBySeat(table: TableResponse): string[] {
  const reader = readerOf(table);
  const sitting = [...table.people, ...table.bots];
  return Array.from({ length: table.seats }, (_, seat) =>
    seat === reader ? t('you') : (sitting.find((one) => one.seat === seat)?.name ?? ''),
  );
}

/** A day, from Unix seconds or a date such as 2026-11-19. */
export function dayOf(when: number | string): string {
  const date = new Date(typeof when === 'number' ? when * 1000 : `${when}T12:00`);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleDateString(LOCALE[words.language], { dateStyle: 'medium' });
}

/** The players with their scores, the highest first: “You 41, Pip 38”. */
export function results(names: string[], scores: number[]): string {
  const order = names.map((_, seat) => seat).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  return order
    .map((seat) => (scores[seat] === undefined ? names[seat] : `${names[seat]}\u00a0${scores[seat]}`))
    .join(', ');
}

/** The day, and the players with their scores. */
export function playedLine(when: number | string, names: string[], scores: number[]): string {
  return [when ? dayOf(when) : '', results(names, scores)].filter(Boolean).join(' · ');
}
