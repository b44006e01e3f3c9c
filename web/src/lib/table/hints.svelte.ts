/** A hint for one position: requested, computed, read, and perhaps played. */
import type { Answer, TableRequest, Hint, HintMove } from '../../net/wire';
import { keyOf, LegalActions, type DecodedGroup } from '../actions';
import type { Tagged } from '../contract';
import { errorText } from './refusals';

const IMPROVE_INTERVAL = 4_000; // ms until a better hint is requested, if one is being computed
const MIN_REQUEST_INTERVAL = 2_100; // ms between two requests, the server's rate limit
const NOTICE_DURATION = 6_000; // ms for which an expired hint's message stays

export type HintState = 'closed' | 'practice' | 'thinking' | 'answered' | 'failed' | 'over';

/** The decision that a hint is about. */
export interface Decision {
  question: string;
  legal: DecodedGroup[];
}

/** The part of a table that hints use. */
export interface HintTable {
  practice(): boolean; // the game already counts as practice
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
  renewing = $state(false); // requested again, because the decision has changed
  private decision: Decision | null = null;
  private requestedAt = -MIN_REQUEST_INTERVAL; // time of the last request
  private timer: ReturnType<typeof setTimeout> | undefined;
  private requestNumber = 0; // answers to earlier requests are ignored

  constructor(private readonly table: HintTable) {}

  get open(): boolean {
    return this.state !== 'closed';
  }
  get move(): HintMove | null {
    return this.hint?.moves[this.chosen] ?? null;
  }

  /** Request a hint; the first one of a game needs a confirmation. */
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
      this.problem = answer.type === 'error' ? errorText(answer) : '';
      this.state = 'failed';
      return;
    }
    this.show(answer);
  }

  /** Follow the table: a hint outlives moves of others. When the decision has changed, a hint that was read is dropped, and
   * one that is still pending is requested again. */
  follow(): void {
    const [before, now] = [this.decision, this.table.decision()];
    if (!this.open || !before || before === now) return;
    this.decision = now;
    if (!now?.legal.length) return this.expire();
    const another = before.question !== now.question;
    if (this.state === 'thinking' && another) this.retryLater();
    if (this.hint && (another || !this.isStillLegal(this.hint))) this.expire();
  }

  /** Whether all moves of a hint are still legal. */
  private isStillLegal({ moves }: Hint): boolean {
    const choice = this.table.decision();
    const legal = new Set(choice && new LegalActions(choice.legal).all.map(keyOf));
    return !choice || moves.every(({ action }) => !action || legal.has(keyOf(action as Tagged)));
  }

  /** Request again, as soon as the rate limit allows. */
  private retryLater(): void {
    this.clear();
    [this.state, this.renewing] = ['thinking', true];
    this.timer = setTimeout(
      () => void this.think(),
      Math.max(0, this.requestedAt + MIN_REQUEST_INTERVAL - performance.now()),
    );
  }

  /** Show that the game has gone on; the message closes by itself. */
  private expire(): void {
    if (this.state === 'over') return;
    this.clear();
    this.state = 'over';
    this.timer = setTimeout(() => this.close(), NOTICE_DURATION);
  }

  /** Ignore pending answers, and end the preview. */
  private clear(): void {
    this.requestNumber++;
    clearTimeout(this.timer);
    this.hint = null;
    this.table.consider(null);
  }

  private show(hint: Hint): void {
    this.renewing = false;
    this.hint = hint;
    this.state = 'answered';
    this.choose(0);
    if (hint.soon) this.timer = setTimeout(() => void this.improve(), IMPROVE_INTERVAL);
  }

  /** Request a better hint while the current one is shown. */
  private async improve(): Promise<void> {
    const requestNumber = this.requestNumber;
    const answer = await this.table.ask({ type: 'hint' });
    if (requestNumber !== this.requestNumber) return;
    if (answer.type === 'hint' && !answer.soon) this.show(answer);
    else this.timer = setTimeout(() => void this.improve(), IMPROVE_INTERVAL);
  }

  /** Select a move and preview it on the board. */
  choose(index: number): void {
    if (!this.hint?.moves[index]) return;
    this.chosen = index;
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
