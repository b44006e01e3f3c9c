/** A hint in words and numbers. */
import { t } from '$lib/i18n.svelte';
import type { Table } from '$lib/table/table.svelte';
import type { Hint, HintMove } from '../../net/wire';

export const toPercent = (part: number): number => Math.round(100 * part);

export const points = (count: number): string =>
  t('hint.now', { points: `${count < 0 ? '−' : '+'}${Math.abs(count)}` });

/** Whether a close call shares its rank. */
export const isShared = (told: Hint, move: HintMove): boolean =>
  told.moves.filter(({ rank }) => rank === move.rank).length > 1;

/** Whether hints are given here: to people who play with bots alone, or where the host allows them to everybody. */
export function mayHint(table: Table): boolean {
  return table.me !== null && table.playing && (table.alone || !!table.room.seen?.house.hints);
}

/** All of it as it is read out. */
export function spoken(told: Hint): string {
  const moves = told.moves.map((move, place) => {
    const number = t(`hint.spoken.${place}`);
    const wins =
      move.chance === null
        ? ''
        : t('hint.spoken.wins', { before: toPercent(told.chance ?? 0), after: toPercent(move.chance) });
    return [`${number}: ${move.title}, ${points(move.certain)}${wins && ', '}${wins}.`, move.reason].join(' ');
  });
  return [t('hint.ways', { count: told.moves.length }) + '.', ...moves, ...(told.soon ? [t('hint.soon')] : [])].join(
    ' ',
  );
}
