/** The opponents of a game against bots in words: “two Rookies”. */
import { t } from '$lib/i18n.svelte';
import type { GameCard } from '../net/api';
import { botGameSettings } from './bot_game_settings.svelte';

const LARGEST_WORD = 7; // larger numbers are written as digits

/** A number as a word, as in running text. */
export const numberWord = (number: number): string =>
  number >= 1 && number <= LARGEST_WORD ? t(`number.${number}`) : String(number);

export function opponentsOf(game: GameCard): string {
  const { level, count } = botGameSettings.opponents(game);
  return t(`opponents.${level}`, { count, number: numberWord(count) });
}
