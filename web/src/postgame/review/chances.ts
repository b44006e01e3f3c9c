/** Formatting of chances. */
import { t } from '$lib/i18n.svelte';
import type { AnalysisInfo } from '../../net/wire';
import type { Scale } from '../chart';

export const percents = (moments: NonNullable<AnalysisInfo['moments']>): number[][] =>
  moments.map(({ chances }) => chances.map((chance) => Math.round(100 * chance)));

/** A difference of chances, with sign. */
export const signed = (part: number): string => signedPercent(Math.round(100 * part));

const signedPercent = (percent: number): string => (percent < 0 ? `−${-percent}` : `+${percent}`);

export interface Change {
  before: number; // in whole percent, as after and the difference
  after: number;
  cost: number;
  change: string; // with sign
}

/** The numbers of a turning point, rounded so that they add up. */
export function changeOf({ before, after }: { before: number; after: number }): Change {
  const [from, to] = [Math.round(100 * before), Math.round(100 * after)];
  return { before: from, after: to, cost: from - to, change: signedPercent(to - from) };
}

const NORMAL = 1.96; // standard errors on either side of 19 of 20 results
const UNSURE = 0.5; // the chance with the widest margin

/** The interval in which a chance lies, given its share of playouts (Wilson score interval at 95 %). */
export function interval(share: number, playouts: number): [number, number] {
  const square = NORMAL ** 2 / playouts;
  const middle = (share + square / 2) / (1 + square);
  const half = (NORMAL / (1 + square)) * Math.sqrt((share * (1 - share)) / playouts + square / (4 * playouts));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Half the widest interval, in percent. */
export function margin(playouts: number): number {
  const [low, high] = interval(UNSURE, playouts);
  return Math.round(50 * (high - low));
}

export interface Fall {
  kind: 'choice' | 'luck';
  x: number; // in places along the chart
  before: number; // the chance
  after: number;
}

/** What a seat's choices cost and luck changed for it, in the order of the game: a choice lies between two steps. */
export function fallsOf(found: Partial<AnalysisInfo>, seat: number): Fall[] {
  const { moments = [], losses = [], luck = [] } = found;
  const place = new Map(moments.map(({ step }, at) => [step, at]));
  const choices = losses.flatMap(({ step, seat: own, best, chosen }): Fall[] => {
    const x = place.get(step);
    if (x === undefined || own !== seat) return [];
    return [{ kind: 'choice', x: x - 0.5, before: best[seat]!, after: chosen[seat]! }];
  });
  const strokes = luck.flatMap(({ step, changes }): Fall[] => {
    const x = place.get(step);
    if (x === undefined || !changes[seat]) return [];
    const after = moments[x]!.chances[seat]!;
    return [{ kind: 'luck', x, before: after - changes[seat]!, after }];
  });
  return [...choices, ...strokes].sort((one, other) => one.x - other.x);
}

/** A seat's line as points of place and percent: every step, with both ends of its own falls. */
export function lineOf(moments: NonNullable<AnalysisInfo['moments']>, seat: number, own: Fall[]): [number, number][] {
  const points: [number, number][] = [];
  let next = 0;
  moments.forEach(({ chances }, x) => {
    for (; next < own.length && own[next]!.x <= x; next++)
      points.push([own[next]!.x, 100 * own[next]!.before], [own[next]!.x, 100 * own[next]!.after]);
    if (points.at(-1)?.[0] !== x) points.push([x, 100 * chances[seat]!]);
  });
  return points;
}

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
