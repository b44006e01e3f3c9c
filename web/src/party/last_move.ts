/** The sentences of the log that describe the last move. */
import type { LogEntry, Seat } from '$lib/contract';

/** Everything that one step brought. */
export function lastStep(log: LogEntry[]): LogEntry[] {
  return log.filter((line) => line.seq === log.at(-1)?.seq);
}

const actor = (step: LogEntry[]): Seat | null => step.find((line) => line.seat !== null)?.seat ?? null;

/** The last step, with the steps just before it of the same player: a claim is still explained when the dice are kept. */
export function lastDeeds(log: LogEntry[]): LogEntry[] {
  let deeds = lastStep(log);
  const whose = actor(deeds);
  while (whose !== null) {
    const earlier = lastStep(log.slice(0, log.length - deeds.length));
    if (!earlier.length || actor(earlier) !== whose) break;
    deeds = [...earlier, ...deeds];
  }
  return deeds;
}
