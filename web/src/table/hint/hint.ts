/** Texts, marks and positions of a hint. */
import { t } from '$lib/i18n.svelte';
import type { Tagged } from '$lib/contract';
import { coveredArea, type Box } from '$lib/components/screen_positions';
import type { Table } from '$lib/table/table.svelte';
import type { Hint, HintMove } from '../../net/wire';

export const toPercent = (part: number): number => Math.round(100 * part);

export const points = (count: number): string =>
  t('hint.now', { points: `${count < 0 ? '−' : '+'}${Math.abs(count)}` });

/** Expected points beyond the obvious move, if worth mentioning. */
export const later = ({ expected }: HintMove): string => {
  const more = Math.round(expected ?? 0);
  return more ? `${more < 0 ? '−' : '+'}${Math.abs(more)}` : '';
};

/** Whether a move ranks equal to the first. */
export const isAsGood = (hint: Hint, move: HintMove): boolean => move.rank === hint.moves[0]!.rank;

/** Whether hints are available: against bots only, or if the host allows them. */
export function mayHint(table: Table): boolean {
  return table.me !== null && table.playing && (table.onlyHuman || !!table.store.table?.house_rules.hints);
}

/** Places of the moves, each with the numbers of its moves. */
export function placesOf(moves: HintMove[], targets: (action: Tagged) => string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  moves.forEach(({ action }, at) => {
    for (const name of action ? targets(action as unknown as Tagged) : [])
      places.set(name, [...(places.get(name) ?? []), at]);
  });
  return places;
}

/** Where on a place a number goes: to the first corner or middle of an edge where it hides no words, or else to the one
 * where it hides least. */
export function badgePosition(
  { left, top, right, bottom }: Box,
  badge: { wide: number; high: number; in: number },
  words: readonly Box[],
): { x: number; y: number } {
  const [x1, x2, y1, y2] = [left + badge.in, right - badge.in, top + badge.in, bottom - badge.in];
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const corners = [y1, y2].flatMap((y) => [x1, x2].map((x) => ({ x, y })));
  const middles = [
    { x: x2, y },
    { x: x1, y },
    { x, y: y1 },
    { x, y: y2 },
  ];
  const candidates = [...corners, ...middles].map((at) => ({
    ...at,
    hides: coveredArea(around(at.x, at.y, badge), words),
  }));
  return candidates.reduce((best, one) => (one.hides < best.hides ? one : best));
}

const around = (x: number, y: number, { wide, high }: { wide: number; high: number }): Box => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - high / 2,
  bottom: y + high / 2,
});

/** The hint as text for screen readers. */
export function spoken(hint: Hint): string {
  const moves = hint.moves.map((move, place) => {
    const number = t(`hint.spoken.${place}`);
    const wins =
      move.chance === null
        ? ''
        : t('hint.spoken.wins', { before: toPercent(hint.chance ?? 0), after: toPercent(move.chance) });
    return [`${number}: ${move.title}, ${points(move.certain)}${wins && ', '}${wins}.`, move.reason].join(' ');
  });
  return [t('hint.ways', { count: hint.moves.length }) + '.', ...moves, ...(hint.soon ? [t('hint.soon')] : [])].join(
    ' ',
  );
}
