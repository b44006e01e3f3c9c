/** The games of this server, asked for once. */
import { api, type GameCard, type OptionSchema } from './api';

class Catalogue {
  games = $state.raw<GameCard[]>([]);
  failed = $state(false);
  private asked: Promise<void> | null = null;

  async load(): Promise<void> {
    this.asked ??= this.fetch();
    await this.asked;
  }

  find(key: string): GameCard | undefined {
    return this.games.find((game) => game.key === key);
  }

  private async fetch(): Promise<void> {
    try {
      this.games = await api.games();
      this.failed = false;
    } catch {
      this.failed = true;
      this.asked = null;
    }
  }
}

export const catalogue = new Catalogue();

/** The options of a game by name, in the order its author gave them. */
export function optionsOf(game: GameCard): [string, OptionSchema][] {
  const name = game.options.$ref.split('/').at(-1)!;
  return Object.entries(game.options.$defs[name]?.properties ?? {});
}
