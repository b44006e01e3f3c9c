/** Triggers of first-time tips, declared in the games' folders. */
import type { Tagged } from '$lib/contract';
import { own } from '$lib/own_property';
import { expandPlaces } from '$lib/components/screen_positions';

export type Pattern = unknown;

export interface Moment {
  key: string; // text key: `web.moment.<key>`
  rule: string; // rule with details
  event?: Pattern; // triggered by an event
  while?: Pattern; // with a matching view
  offer?: Pattern; // triggered by a legal action
  view?: Pattern; // triggered by the view on my turn
  at?: string[]; // place templates; default: the event's places
}

const FILES = import.meta.glob<Moment[]>('../../../../src/jamboree/games/*/words/moments.json', { import: 'default' });

/** The moments of a game; none where they can't be loaded: a table is played without them, too. */
export async function momentsOf(game: string): Promise<Moment[]> {
  const load = own(FILES, `../../../../src/jamboree/games/${game}/words/moments.json`);
  return (await load?.().catch(() => null)) ?? [];
}

/** An animated event with its view. */
export interface Heard {
  event: Tagged;
  view: unknown;
}

export interface Come {
  moment: Moment;
  places: string[];
}

/** The first tip, in declared order, that is not `known` and whose trigger matches. */
export function matchingTip(
  moments: readonly Moment[],
  known: ReadonlySet<string>,
  now: { events: readonly Heard[]; offers: readonly Tagged[]; view: unknown },
  placesOf: (event: Tagged) => string[],
): Come | null {
  for (const moment of moments) {
    if (known.has(moment.key)) continue;
    const sources = [
      moment.event ? now.events.map((heard) => happened(moment, heard)).find(Boolean) : null,
      moment.offer ? now.offers.map((offer) => found(moment.offer, offer)).find(Boolean) : null,
      moment.view ? found(moment.view, now.view) : null,
    ];
    const what = sources.find(Boolean);
    if (what) return { moment, places: moment.at ? expandPlaces(moment.at, what) : placesOf(what as Tagged) };
  }
  return null;
}

function happened(moment: Moment, { event, view }: Heard): object | null {
  return !moment.while || found(moment.while, view) ? found(moment.event, event) : null;
}

/** The object that matches a pattern: the value itself or an element of a list. */
export function found(pattern: Pattern, value: unknown): object | null {
  if (!isFields(pattern) || !isFields(value) || !matches(pattern, value, value)) return null;
  for (const [name, part] of Object.entries(pattern)) {
    const inside = value[name];
    if (!Array.isArray(inside) || !isFields(part) || 'count' in part) continue;
    return inside.map((one) => found(part, one)).find(Boolean) ?? null;
  }
  return value;
}

/** Whether a value matches a pattern; a list in the pattern means any of its values. */
function matches(pattern: Pattern, value: unknown, whole: object): boolean {
  if (Array.isArray(pattern)) return pattern.some((one) => matches(one, value, whole));
  if (!isFields(pattern)) return pattern === value;
  if ('not' in pattern) return !matches(pattern.not, value, whole);
  if ('other' in pattern) return value !== (whole as Record<string, unknown>)[pattern.other as string];
  if (Array.isArray(value)) {
    if ('count' in pattern) return matches(pattern.count, value.length, whole);
    return value.some((one) => matches(pattern, one, one as object));
  }
  return isFields(value) && Object.entries(pattern).every(([name, part]) => matches(part, value[name], value));
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
