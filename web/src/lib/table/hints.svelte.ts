/** A hint for one position: requested, computed, read, and perhaps played. */
import type { Answer, TableRequest, Hint, HintMove } from '../../net/wire';
import { keyOf, LegalActions, type DecodedGroup } from '../actions';
import type { Tagged } from '../contract';
import { worded } from './refusals';

const IMPROVE_INTERVAL = 4_000; // ms until better advice is asked for, where it is on its way
const MIN_REQUEST_INTERVAL = 2_100; // ms between two questions: a table answers no sooner
const NOTICE_DURATION = 6_000; // ms to read why a hint is gone

export type HintState = 'closed' | 'practice' | 'thinking' | 'told' | 'failed' | 'over';

/** What a hint is about: what is asked of me, and what I may do. */
export interface Decision {
  question: string;
  legal: DecodedGroup[];
}

/** What a hint needs of its table. */
export interface HintTable {
  practice(): boolean; // the game is one for practice by now
  decision(): Decision | null;
  ask(message: TableRequest): Promise<Answer>;
  consider(action: Tagged | null): void;
  act(action: Tagged): Promise<boolean>;
}

export class Hints {
  state = $state<HintState>('closed');
  hint = $state.raw<Hint | null>(null);
  chosen = $state(0);
  problem = $state('');
  renewing = $state(false); // it is asked for again, because the choice is another one
  private decision: Decision | null = null;
  private requestedAt = -MIN_REQUEST_INTERVAL; // when it was last asked for
  private timer: ReturnType<typeof setTimeout> | undefined;
  private requestNumber = 0; // an answer to an earlier question is not listened to

  constructor(private readonly table: HintTable) {}

  get open(): boolean {
    return this.state !== 'closed';
  }
  get move(): HintMove | null {
    return this.hint?.moves[this.chosen] ?? null;
  }

  /** Ask for a hint; before the first one of a game, whether that is meant. */
  start(): void {
    this.decision = this.table.decision();
    if (this.table.practice()) void this.think();
    else this.state = 'practice';
  }

  toggle(): void {
    if (this.open) this.close();
    else this.start();
  }

  async think(): Promise<void> {
    const requestNumber = ++this.requestNumber;
    clearTimeout(this.timer);
    this.state = 'thinking';
    [this.decision, this.requestedAt] = [this.table.decision(), performance.now()];
    const answer = await this.table.ask({ type: 'hint' });
    if (requestNumber !== this.requestNumber || !this.open) return;
    if (answer.type === 'hint' && !this.isStillLegal(answer)) return this.retryLater();
    if (answer.type !== 'hint') {
      this.problem = answer.type === 'error' ? worded(answer) : '';
      this.state = 'failed';
      return;
    }
    this.show(answer);
  }

  /** Go along with the table: a hint outlives what others do meanwhile. When the choice is another one, what was read no
   * longer holds, and what is still waited for is asked for anew. */
  follow(): void {
    const [before, now] = [this.decision, this.table.decision()];
    if (!this.open || !before || before === now) return;
    this.decision = now;
    if (!now?.legal.length) return this.expire();
    const another = before.question !== now.question;
    if (this.state === 'thinking' && another) this.retryLater();
    if (this.hint && (another || !this.isStillLegal(this.hint))) this.expire();
  }

  /** Whether all moves of a hint can still be made. */
  private isStillLegal({ moves }: Hint): boolean {
    const choice = this.table.decision();
    const legal = new Set(choice && new LegalActions(choice.legal).all.map(keyOf));
    return !choice || moves.every(({ action }) => !action || legal.has(keyOf(action as Tagged)));
  }

  /** Ask once more, as soon as the table listens. */
  private retryLater(): void {
    this.clear();
    [this.state, this.renewing] = ['thinking', true];
    this.timer = setTimeout(
      () => void this.think(),
      Math.max(0, this.requestedAt + MIN_REQUEST_INTERVAL - performance.now()),
    );
  }

  /** Say that the game has gone on; nobody need close that. */
  private expire(): void {
    if (this.state === 'over') return;
    this.clear();
    this.state = 'over';
    this.timer = setTimeout(() => this.close(), NOTICE_DURATION);
  }

  /** Listen to no answer any more, and take the move off the board. */
  private clear(): void {
    this.requestNumber++;
    clearTimeout(this.timer);
    this.hint = null;
    this.table.consider(null);
  }

  private show(hint: Hint): void {
    this.renewing = false;
    this.hint = hint;
    this.state = 'told';
    this.choose(0);
    if (hint.soon) this.timer = setTimeout(() => void this.improve(), IMPROVE_INTERVAL);
  }

  /** Ask for better advice while what was told is being read. */
  private async improve(): Promise<void> {
    const requestNumber = this.requestNumber;
    const answer = await this.table.ask({ type: 'hint' });
    if (requestNumber !== this.requestNumber) return;
    if (answer.type === 'hint' && !answer.soon) this.show(answer);
    else this.timer = setTimeout(() => void this.improve(), IMPROVE_INTERVAL);
  }

  /** Lay a move on the board as it would be. */
  choose(place: number): void {
    if (!this.hint?.moves[place]) return;
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
    [this.state, this.renewing] = ['closed', false];
    this.clear();
  }
}
