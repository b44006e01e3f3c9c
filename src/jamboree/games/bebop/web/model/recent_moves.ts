/** Groups the log entries since a player's last turn into moves. */
import type { LogEntry } from '$lib/contract';
import type { Event } from './wire';

export interface Move {
  seq: number;
  seat: number | null;
  text: string;
  at: string[]; // hexes of the move
  hexes: string[]; // all hexes involved
}

/** Step of a player's last move, or null. */
export function lastOwn(log: LogEntry[], me: number | null): number | null {
  return log.findLast((line) => line.seat === me && me !== null && !line.undone)?.seq ?? null;
}

/** The moves on the board since a player's last one, or since the start. */
export function since(log: LogEntry[], me: number | null, hexesOf: (event: Event) => string[]): Move[] {
  const last = lastOwn(log, me) ?? 0;
  const moves = new Map<number, Move>();
  for (const { seq, seat, text, undone, event } of log) {
    if (seq <= last || undone) continue;
    const hexes = event ? hexesOf(event as Event) : [];
    const move = moves.get(seq);
    if (!move) moves.set(seq, { seq, seat, text, at: hexes, hexes });
    else moves.set(seq, { ...move, text: `${move.text} ${text}`, hexes: [...new Set([...move.hexes, ...hexes])] });
  }
  return [...moves.values()].filter((move) => move.at.length);
}
