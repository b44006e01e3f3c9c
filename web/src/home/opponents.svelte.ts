/** How this browser plays each game against bots: how good they are, how many sit at the table, on which board. */
import type { GameCard } from '../net/api';
import type { Level } from '../net/wire';

interface Wish {
  level: Level;
  seats: number;
  options: Record<string, unknown>; // where they are not as in the box
  board: string; // what a card for one of them is called, if one was chosen
}

const KEY = 'jamboree.opponents';

function kept(): Record<string, Wish> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Wish>;
  } catch {
    return {};
  }
}

export class Opponents {
  private wishes = $state(kept());

  /** First-timers meet the gentler bots, at a table of middling size. */
  of({ key, seats: [fewest, most] }: GameCard): Wish {
    const wish: Partial<Wish> = this.wishes[key] ?? {};
    const { level = 'rookie', seats = Math.floor((fewest + most) / 2), options = {}, board = '' } = wish;
    return { level, seats: Math.min(most, Math.max(fewest, seats)), options, board };
  }

  /** How good a bot is that sits down at a table of mine, where nobody has said it yet. */
  level(game: GameCard | undefined): Level {
    const wished = game ? this.of(game).level : 'rookie';
    return !game?.bots.length || game.bots.includes(wished) ? wished : game.bots[0]!;
  }

  choose(game: GameCard, change: Partial<Wish>): void {
    this.wishes[game.key] = { ...this.of(game), ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.wishes));
    } catch {
      // A browser that keeps nothing still plays; the choice lasts as long as the page.
    }
  }
}

export const opponents = new Opponents();
