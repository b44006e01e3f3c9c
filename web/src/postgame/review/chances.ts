/** Formatting of chances. */
import { t } from '$lib/i18n.svelte';
import type { AnalysisInfo } from '../../net/wire';
import type { Scale } from '../chart';

export const percents = (moments: NonNullable<AnalysisInfo['moments']>): number[][] =>
  moments.map(({ chances }) => chances.map((chance) => Math.round(100 * chance)));

/** A difference of chances, with sign. */
export const signed = (part: number): string => {
  const percent = Math.round(100 * part);
  return percent < 0 ? `−${-percent}` : `+${percent}`;
};

/** Remaining time in minutes; null while unknown. */
export function remainingTime(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  return seconds < 50 ? t('analysis.left.soon') : t('analysis.left', { count: Math.round(seconds / 60) });
}

export interface Sign {
  seat: number;
  x: number;
  y: number;
}

/** Place each seat's symbol on its line three times, without overlaps. */
export function symbolPositions(history: number[][], scale: Scale): Sign[] {
  const seats = history[0]?.length ?? 0;
  const signs: Sign[] = [];
  if (history.length < 3 * seats + 6) return signs;
  for (let turn = 0; turn < 3; turn++)
    for (let seat = 0; seat < seats; seat++) {
      const step = Math.round(((turn + (seat + 1) / (seats + 1)) / 3.2) * (history.length - 1));
      signs.push({ seat, x: scale.x(step), y: scale.y(history[step]![seat]!) });
    }
  return signs;
}
