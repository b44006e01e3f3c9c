/** The sentences of the log that describe the last move. */
import type { LogEntry, Seat } from '$lib/contract';

/** All entries of one step. */
export function lastStep(log: LogEntry[]): LogEntry[] {
  return log.filter((line) => line.seq === log.at(-1)?.seq);
}

const actor = (step: LogEntry[]): Seat | null => step.find((line) => line.seat !== null)?.seat ?? null;

/** The last step, with the preceding steps of the same player. */
export function lastMove(log: LogEntry[]): LogEntry[] {
  let entries = lastStep(log);
  const player = actor(entries);
  while (player !== null) {
    const earlier = lastStep(log.slice(0, log.length - entries.length));
    if (!earlier.length || actor(earlier) !== player) break;
    entries = [...earlier, ...entries];
  }
  return entries;
}
