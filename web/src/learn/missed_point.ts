/** Feedback on a legal move that misses the point of a lesson: where it went, what it scored, and where the better one goes. */
import type { LogEntry } from '$lib/contract';
import type { Table } from '$lib/table/table.svelte';

export interface Loss {
  from: string; // places as in `data-at`
  to: string;
  points: number | null; // null: the game has no running points
}

const HELD = /^(hand|song|card|supply|queue)-/; // places of pieces in hand

/** Compare my last move with the places of the step; null if there is nothing to draw. */
export function missedPoint(table: Table, spot: readonly string[], before: readonly number[]): Loss | null {
  const { me, ui, view } = table;
  const seq = table.log.findLast(({ event, seat }) => event && seat === me)?.seq;
  const step = table.log.filter((line) => line.seq === seq);
  const from = step.flatMap((line) => placesOf(table, line)).find((place) => !HELD.test(place));
  const to = spot.findLast((place) => !HELD.test(place) && place !== from);
  if (me === null || !from || !to || spot.includes(from)) return null;
  const now = ui.scores?.(view)[me];
  return { from, to, points: now === undefined || before[me] === undefined ? null : now - before[me] };
}

const placesOf = (table: Table, { event }: LogEntry): string[] =>
  event ? (table.ui.places?.(event, table.model) ?? []) : [];
