/** The catalogue of games, fetched once. */
import { words } from '$lib/i18n.svelte';
import { api, type GameCard, type OptionSchema } from './api';

class Catalogue {
  games = $state.raw<GameCard[]>([]);
  failed = $state(false);
  private loading: Promise<void> | null = null;

  async load(): Promise<void> {
    this.loading ??= this.fetch();
    await this.loading;
  }

  /** Fetch again after the server was unreachable. */
  async again(): Promise<void> {
    this.loading = null;
    await this.load();
  }

  find(key: string): GameCard | undefined {
    return this.games.find((game) => game.key === key);
  }

  /** The title of a game; '' while it is loading. */
  name(key: string): string {
    return this.find(key)?.name[words.language] ?? (this.games.length || this.failed ? key : '');
  }

  /** The tagline of a game. */
  line(key: string): string {
    return this.find(key)?.line[words.language] ?? '';
  }

  optionLabel(game: GameCard, option: string): string {
    return game.labels[words.language]?.[option] ?? option;
  }

  private async fetch(): Promise<void> {
    try {
      this.games = await api.games();
      this.failed = false;
    } catch {
      this.failed = true;
      this.loading = null;
    }
  }
}

export const catalogue = new Catalogue();

/** The options of a game by name, in their declared order. */
export function optionsOf({ options }: GameCard): [string, OptionSchema][] {
  const fields = defined(options, options.$ref).properties ?? {};
  return Object.entries(fields).map(([name, schema]) => [name, plain(options, schema)]);
}

/** A long text, which is chosen from presets or a file. */
export const isText = ({ type, enum: values }: OptionSchema): boolean => type === 'string' && !values;

/** Resolve references and optional types of a JSON schema. */
function plain(options: GameCard['options'], schema: OptionSchema): OptionSchema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (only && !others.length) return { ...plain(options, only), default: schema.default };
  return schema.$ref ? { ...defined(options, schema.$ref), default: schema.default } : schema;
}

function defined({ $defs }: GameCard['options'], reference: string): GameCard['options']['$defs'][string] {
  return $defs[reference.split('/').at(-1)!] ?? {};
}
