/** Per-game settings for playing against bots: level, number of players, board. */
import { store, recallRecord } from '$lib/storage';
import type { GameCard } from '../net/api';
import type { Level } from '../net/wire';

interface Wish {
  level: Level;
  seats: number;
  options: Record<string, unknown>; // changed options
  board: string; // name of the chosen preset
}

const KEY = 'jamboree.opponents';
const HEADS_UP = 2; // number of players at which Champion is stronger than Star

/** Stored settings; every field is optional. */
function isWish(one: unknown): one is Wish {
  const { level = '', seats = 0, options = {}, board = '' } = { ...(one as Partial<Record<keyof Wish, unknown>>) };
  const texts = typeof level === 'string' && typeof board === 'string';
  return texts && typeof seats === 'number' && typeof options === 'object' && options !== null;
}

export class BotGameSettings {
  private wishes = $state(recallRecord(KEY, isWish));

  /** Defaults: weak bots, and a medium number of players. */
  of({ key, seats: [fewest, most] }: GameCard): Wish {
    const wish: Partial<Wish> = this.wishes[key] ?? {};
    const { level = 'rookie', seats = Math.floor((fewest + most) / 2), options = {}, board = '' } = wish;
    return { level, seats: Math.min(most, Math.max(fewest, seats)), options, board };
  }

  /** Default level of a bot at my tables. */
  level(game: GameCard | undefined): Level {
    const wished = game ? this.of(game).level : 'rookie';
    return !game?.bots.length || game.bots.includes(wished) ? wished : game.bots[0]!;
  }

  /** The bots that Play seats; Champion plays two-player games only. */
  opponents(game: GameCard): { level: Level; count: number } {
    const { level, seats } = this.of(game);
    const levels = game.bots.filter((one) => one !== 'champion' || seats === HEADS_UP);
    return { level: levels.includes(level) ? level : levels.at(-1)!, count: seats - 1 };
  }

  chooseLevel(game: GameCard, level: Level): void {
    this.choose(game, level === 'champion' ? { level, seats: HEADS_UP } : { level });
  }

  choose(game: GameCard, change: Partial<Wish>): void {
    this.wishes[game.key] = { ...this.of(game), ...change };
    store(KEY, this.wishes);
  }
}

export const botGameSettings = new BotGameSettings();
