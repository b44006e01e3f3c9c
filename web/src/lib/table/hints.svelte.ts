/** A hint at the table: asked for, thought over, read, and perhaps played. It is about one position. */
import type { Answer, Asking, Hint, HintMove } from '../../net/wire';
import type { Tagged } from '../contract';
import { worded } from './refusals';

const AGAIN = 4_000; // ms until better advice is asked for, where it is on its way

export type HintState = 'closed' | 'practice' | 'thinking' | 'told' | 'failed';

/** What a hint needs of its table. */
export interface Hinted {
  practice(): boolean; // the game is one for practice by now
  ask(message: Asking): Promise<Answer>;
  consider(action: Tagged | null): void;
  act(action: Tagged): Promise<boolean>;
}

export class Hints {
  state = $state<HintState>('closed');
  told = $state.raw<Hint | null>(null);
  chosen = $state(0);
  problem = $state('');
  private again: ReturnType<typeof setTimeout> | undefined;
  private asked = 0; // an answer to an earlier question is not listened to

  constructor(private readonly table: Hinted) {}

  get open(): boolean {
    return this.state !== 'closed';
  }
  get move(): HintMove | null {
    return this.told?.moves[this.chosen] ?? null;
  }

  /** Ask for a hint; before the first one of a game, whether that is meant. */
  start(): void {
    if (this.table.practice()) void this.think();
    else this.state = 'practice';
  }

  toggle(): void {
    if (this.open) this.close();
    else this.start();
  }

  async think(): Promise<void> {
    const asked = ++this.asked;
    clearTimeout(this.again);
    this.state = 'thinking';
    const answer = await this.table.ask({ type: 'hint' });
    if (asked !== this.asked || !this.open) return;
    if (answer.type !== 'hinted') {
      this.problem = answer.type === 'error' ? worded(answer) : '';
      this.state = 'failed';
      return;
    }
    this.tell(answer);
  }

  private tell(told: Hint): void {
    this.told = told;
    this.state = 'told';
    this.choose(0);
    if (told.soon) this.again = setTimeout(() => void this.improve(), AGAIN);
  }

  /** Ask for better advice while what was told is being read. */
  private async improve(): Promise<void> {
    const asked = this.asked;
    const answer = await this.table.ask({ type: 'hint' });
    if (asked !== this.asked) return;
    if (answer.type === 'hinted' && !answer.soon) this.tell(answer);
    else this.again = setTimeout(() => void this.improve(), AGAIN);
  }

  /** Lay a move on the board as it would be. */
  choose(place: number): void {
    if (!this.told?.moves[place]) return;
    this.chosen = place;
    this.table.consider((this.move?.action as Tagged | null) ?? null);
  }

  play(): void {
    const action = this.move?.action as Tagged | null | undefined;
    this.close();
    if (action) void this.table.act(action);
  }

  close(): void {
    if (!this.open) return;
    this.asked++;
    clearTimeout(this.again);
    this.state = 'closed';
    this.told = null;
    this.table.consider(null);
  }
}
