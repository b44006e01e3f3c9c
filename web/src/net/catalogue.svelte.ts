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

  /** Ask once more, after the server was away. */
  async again(): Promise<void> {
    this.loading = null;
    await this.load();
  }

  find(key: string): GameCard | undefined {
    return this.games.find((game) => game.key === key);
  }

  /** What a game is called; nothing while that is being asked for. */
  name(key: string): string {
    return this.find(key)?.name[words.language] ?? (this.games.length || this.failed ? key : '');
  }

  /** What a game is about, in a few words. */
  line(key: string): string {
    return this.find(key)?.line[words.language] ?? '';
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

/** The options of a game by name, in the order its author gave them. */
export function optionsOf({ options }: GameCard): [string, OptionSchema][] {
  const fields = defined(options, options.$ref).properties ?? {};
  return Object.entries(fields).map(([name, schema]) => [name, plain(options, schema)]);
}

/** A text nobody types into a line: it is chosen from cards, or comes from a file. */
export const isText = ({ type, enum: values }: OptionSchema): boolean => type === 'string' && !values;

/** Look behind references, and past the choice to leave an option out. */
function plain(options: GameCard['options'], schema: OptionSchema): OptionSchema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (only && !others.length) return { ...plain(options, only), default: schema.default };
  return schema.$ref ? { ...defined(options, schema.$ref), default: schema.default } : schema;
}

function defined({ $defs }: GameCard['options'], reference: string): GameCard['options']['$defs'][string] {
  return $defs[reference.split('/').at(-1)!] ?? {};
}
