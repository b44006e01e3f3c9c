/** A hint for one position: requested, computed, read, and perhaps played. */
import type { Answer, TableRequest, Hint, HintMove } from '../../net/wire';
import { keyOf, Legal, type Offers } from '../actions';
import type { Tagged } from '../contract';
import { worded } from './refusals';

const AGAIN = 4_000; // ms until better advice is asked for, where it is on its way
const PACE = 2_100; // ms between two questions: a table answers no sooner
const READ = 6_000; // ms to read why a hint is gone

export type HintState = 'closed' | 'practice' | 'thinking' | 'told' | 'failed' | 'over';

/** What a hint is about: what is asked of me, and what I may do. */
export interface Choice {
  question: string;
  legal: Offers[];
}

/** What a hint needs of its table. */
export interface Hinted {
  practice(): boolean; // the game is one for practice by now
  choice(): Choice | null;
  ask(message: TableRequest): Promise<Answer>;
  consider(action: Tagged | null): void;
  act(action: Tagged): Promise<boolean>;
}

export class Hints {
  state = $state<HintState>('closed');
  told = $state.raw<Hint | null>(null);
  chosen = $state(0);
  problem = $state('');
  anew = $state(false); // it is asked for again, because the choice is another one
  private about: Choice | null = null;
  private sent = -PACE; // when it was last asked for
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
    this.about = this.table.choice();
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
    [this.about, this.sent] = [this.table.choice(), performance.now()];
    const answer = await this.table.ask({ type: 'hint' });
    if (asked !== this.asked || !this.open) return;
    if (answer.type === 'hint' && !this.holds(answer)) return this.renew();
    if (answer.type !== 'hint') {
      this.problem = answer.type === 'error' ? worded(answer) : '';
      this.state = 'failed';
      return;
    }
    this.tell(answer);
  }

  /** Go along with the table: a hint outlives what others do meanwhile. When the choice is another one, what was read no
   * longer holds, and what is still waited for is asked for anew. */
  follow(): void {
    const [before, now] = [this.about, this.table.choice()];
    if (!this.open || !before || before === now) return;
    this.about = now;
    if (!now?.legal.length) return this.leave();
    const another = before.question !== now.question;
    if (this.state === 'thinking' && another) this.renew();
    if (this.told && (another || !this.holds(this.told))) this.leave();
  }

  /** Whether all moves of a hint can still be made. */
  private holds({ moves }: Hint): boolean {
    const choice = this.table.choice();
    const legal = new Set(choice && new Legal(choice.legal).all.map(keyOf));
    return !choice || moves.every(({ action }) => !action || legal.has(keyOf(action as Tagged)));
  }

  /** Ask once more, as soon as the table listens. */
  private renew(): void {
    this.forget();
    [this.state, this.anew] = ['thinking', true];
    this.again = setTimeout(() => void this.think(), Math.max(0, this.sent + PACE - performance.now()));
  }

  /** Say that the game has gone on; nobody need close that. */
  private leave(): void {
    if (this.state === 'over') return;
    this.forget();
    this.state = 'over';
    this.again = setTimeout(() => this.close(), READ);
  }

  /** Listen to no answer any more, and take the move off the board. */
  private forget(): void {
    this.asked++;
    clearTimeout(this.again);
    this.told = null;
    this.table.consider(null);
  }

  private tell(told: Hint): void {
    this.anew = false;
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
    if (answer.type === 'hint' && !answer.soon) this.tell(answer);
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
    [this.state, this.anew] = ['closed', false];
    this.forget();
  }
}
