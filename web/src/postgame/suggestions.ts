/** Suggestions after a game: lessons, stronger bots, or other options. */
import type { Params, Preset } from '$lib/contract';
import type { Texts } from '$lib/i18n.svelte';
import type { GameCard, OptionSchema } from '../net/api';
import { optionsOf } from '../net/catalogue.svelte';
import type { Level } from '../net/wire';

export type Options = Record<string, unknown>;
export type Course = 'new' | 'begun' | 'learnt'; // this browser's lesson progress

export type Suggestion =
  | { kind: 'course'; begun: boolean }
  | { kind: 'level'; level: Level }
  | { kind: 'variant'; options: Options; key: string; params: Params };

/** The properties of a finished game that suggestions depend on. */
export interface Played {
  card: GameCard;
  won: boolean;
  levels: Level[]; // levels of the bots; empty if people played
  options: Options;
  course: Course;
  presets: Record<string, Preset[]>; // presets by option
  texts: Texts; // the game's texts; `web.next.<option>.<value>` marks recommended values
}

export function suggest(played: Played): Suggestion | null {
  const { card, won, levels, course } = played;
  const teach = card.lessons > 0 && course !== 'learnt';
  if (teach && !won) return { kind: 'course', begun: course === 'begun' };
  const level = won && levels.length ? stronger(card, levels) : null;
  if (level) return { kind: 'level', level };
  return variant(played) ?? (teach ? { kind: 'course', begun: course === 'begun' } : null);
}

/** The level above the strongest beaten bot. */
function stronger({ bots }: GameCard, levels: Level[]): Level | null {
  return bots[Math.max(...levels.map((level) => bots.indexOf(level))) + 1] ?? null;
}

/** The first variant that was not played this time. */
function variant(played: Played): Suggestion | null {
  const all = optionsOf(played.card);
  return (
    all.map(([name, schema]) => switched(name, schema, played)).find(Boolean) ??
    all.map(([name]) => elsewhere(name, played)).find(Boolean) ??
    null
  );
}

/** An option set to a recommended value. */
function switched(name: string, schema: OptionSchema, { options, texts }: Played): Suggestion | undefined {
  const values = schema.type === 'boolean' ? [true, false] : (schema.enum ?? []);
  const now = options[name] ?? schema.default;
  const value = values.find((one) => one !== now && `web.next.${name}.${one}` in texts);
  if (value === undefined) return undefined;
  return { kind: 'variant', options: { ...options, [name]: value }, key: `web.next.${name}.${value}`, params: {} };
}

/** The preset after the one that was played. */
function elsewhere(name: string, { options, presets, texts }: Played): Suggestion | undefined {
  const cards = presets[name] ?? [];
  if (cards.length < 2 || !(`web.next.${name}` in texts)) return undefined;
  const played = cards.findIndex(({ value }) => value === options[name]); // -1: the default, which is the first
  const { value, name: called, line } = cards[(Math.max(0, played) + 1) % cards.length]!;
  return {
    kind: 'variant',
    options: { ...options, [name]: value },
    key: `web.next.${name}`,
    params: { name: called, line },
  };
}
