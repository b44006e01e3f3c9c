/** Explanation of a log line: the sentences of its step, the places it is about, and the scoring rules. */
import type { LogEntry } from '$lib/contract';
import type { Table } from '$lib/table/table.svelte';

export interface Line {
  text: string;
  why: string; // scoring rule or cause
  chosen: boolean;
}

export interface Explained {
  lines: Line[];
  places: string[];
}

/** Describe an entry with its consequences in the same step, such as the points of a booking. */
export function explain(table: Table, entry: LogEntry): Explained {
  const step = table.log.filter(
    (one) => one.seq === entry.seq && one.index >= entry.index && belongs(table, entry, one),
  );
  const lines = step.map((one) => ({
    text: one.text,
    why: whyOf(table, one),
    chosen: one.index === entry.index,
  }));
  const own = placesOf(table, entry);
  const places = own.length ? own : step.flatMap((one) => placesOf(table, one));
  return { lines: withoutRepeats(lines), places: [...new Set(places)] };
}

const belongs = ({ ui }: Table, { event }: LogEntry, one: LogEntry): boolean =>
  one.event === event || !event || !one.event || (ui.explains?.(event, one.event) ?? true);

/** Leave out consequences without points or a rule of their own, and name no rule twice. */
function withoutRepeats(lines: Line[]): Line[] {
  const first = (why: string): number => lines.findIndex((line) => line.why === why);
  const once = lines.map((line, place) => (first(line.why) === place ? line : { ...line, why: '' }));
  return once.filter(({ chosen }, place) => chosen || lines[place]!.why);
}

function whyOf(table: Table, { event }: LogEntry): string {
  const key = `web.why.${event?.type ?? ''}`;
  return key in table.texts ? table.t(key) : '';
}

function placesOf({ ui, model }: Table, { event }: LogEntry): string[] {
  return event ? (ui.places?.(event, model) ?? []) : [];
}
