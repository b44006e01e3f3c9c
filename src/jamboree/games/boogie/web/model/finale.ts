/** Awards of a finale: the player who broke most promises, and the best partners. */
import type { LogEntry, Seat } from '$lib/contract';
import type { Event, View } from './wire';

export interface Liars {
  seats: Seat[]; // several in a tie; none if nobody broke a promise
  broken: number;
  promises: number[]; // by liar: promises that were kept or broken
}

export function biggestLiars({ honesty }: Pick<View, 'honesty'>): Liars {
  const broken = Math.max(0, ...honesty.map((one) => one.broken));
  const seats = broken ? honesty.flatMap((one, seat) => (one.broken === broken ? [seat] : [])) : [];
  return { seats, broken, promises: seats.map((seat) => honesty[seat]!.kept + honesty[seat]!.broken) };
}

export interface Partners {
  pairs: [Seat, Seat][]; // several in a tie
  jumps: number;
  points: number; // that each of the two got in these jumps
}

/** The pair with most points from the same jumps, then with most jumps; null if no two ever scored together. */
export function bestPartners(log: readonly LogEntry[]): Partners | null {
  const found = new Map<string, { pair: [Seat, Seat]; jumps: number; points: number }>();
  for (const { event, undone } of log) {
    const scored = event as Event | undefined;
    if (undone || scored?.type !== 'JumpScored' || scored.points <= 0) continue;
    const jumpers = [...scored.jumpers].sort((one, other) => one - other);
    for (const [at, one] of jumpers.entries()) {
      for (const other of jumpers.slice(at + 1)) {
        const key = `${one} ${other}`;
        const before = found.get(key) ?? { pair: [one, other] as [Seat, Seat], jumps: 0, points: 0 };
        found.set(key, { ...before, jumps: before.jumps + 1, points: before.points + scored.points });
      }
    }
  }
  const all = [...found.values()].sort((one, other) => other.points - one.points || other.jumps - one.jumps);
  const best = all[0];
  if (!best) return null;
  const same = all.filter(({ points, jumps }) => points === best.points && jumps === best.jumps);
  return { pairs: same.map(({ pair }) => pair), jumps: best.jumps, points: best.points };
}
