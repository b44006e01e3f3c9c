/** Drawings and wording of songs. */
import { memo } from '$lib/memo';
import type { BpmTable, Song } from './wire';

export const SIGNS: Record<string, string> = { 'left-right': 'lr', 'up-down': 'ud', hop: 'hop', break: 'wc' };

export function sign(song: Song): string {
  return SIGNS[song.action] ?? 'lr';
}

const MONTH: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', timeZone: 'UTC' };
const months = memo((locale) => new Intl.DateTimeFormat(locale, MONTH));
const days = memo((locale) => new Intl.DateTimeFormat(locale, { ...MONTH, day: 'numeric' }));

/** A release date with the known precision: year, month or day. */
export function released(song: Song, language: string): string {
  const [year, month, day] = song.released.split('-').map(Number);
  if (!month) return String(year);
  const format = (day ? days : months)(language === 'en' ? 'en-GB' : language);
  return format.format(new Date(Date.UTC(year!, month - 1, day ?? 1)));
}

/** Full description of a sleeve, for screen readers. */
export function spoken(song: Song, table: BpmTable): string {
  return table.t('web.song', {
    title: song.title,
    artist: song.artist,
    bpm: song.bpm,
    released: released(song, table.settings.language),
    colour: table.t(`colour.${song.colour}`),
    action: table.t(`action.${song.action}`),
  });
}

/** A song's effect: the move, and the token after it; some Hype cards let every colour match. */
export function effect(song: Song, table: BpmTable): string {
  const every = table.view.bends.includes('any_colour') ? '.every' : '';
  const then = `web.then.${song.action === 'break' ? 'any' : 'moved'}${every}`;
  const colour = table.t(`coloured.${song.colour}`);
  return `${table.t(`web.help.${song.action}`)} ${table.t(then, { colour })}`;
}

/** Short description of a song: title, tempo, effect. */
export function summary(song: Song, table: BpmTable): string {
  return `${song.title}, ${song.bpm} BPM. ${effect(song, table)}`;
}
