/** State of the promise form: addressee, terms, and terms in return; sent as the two or three actions of the rules. */
import type { Seat } from '$lib/contract';
import { sameJump } from '../model/cards';
import type { ActionQueue } from '../model/action_queue';
import type { Jump, Table, Term } from '../model/wire';

export type Pledge = Term['pledge'];
export const PLEDGES: readonly Pledge[] = ['sure', 'maybe', 'out', 'figures', 'harmless'];

const BY_PRESENCE: readonly Pledge[] = ['sure', 'maybe', 'out'];
const FIRST_WORTH = 5;

export class PromiseForm {
  open = $state(false); // in use: something was chosen, or it was opened; expanded on small screens
  private chosen = $state.raw<Seat | null>(null);
  private said = $state.raw<Term | null>(null);
  wanted = $state.raw<Term | null>(null);
  busy = $state(false);
  private counterOffer = $state(false); // replaces a form that was begun

  constructor(
    private readonly table: Table,
    private readonly courier: ActionQueue,
  ) {}

  private readonly talk = $derived.by(() => (this.table.me === null ? null : this.table.view.talk[this.table.me]));
  private readonly ready = $derived.by(() => this.table.me !== null && this.table.view.ready.includes(this.table.me));
  readonly draft = $derived.by(() => this.talk?.draft ?? null);
  readonly left = $derived.by(() => this.table.view.limits.promises - (this.talk?.begun ?? 0));
  readonly possible = $derived.by(
    () => this.talk !== null && this.table.view.promising && !this.ready && (this.draft !== null || this.left > 0),
  );
  readonly to = $derived.by(() => (this.draft && !this.counterOffer ? this.draft.to : this.chosen));
  readonly mine = $derived.by((): Term => this.said ?? { pledge: 'sure', jump: this.jumps('sure', this.table.me)[0]! });
  /** The fixed terms in return of a promise that has been begun. */
  readonly fixed = $derived.by(() => (this.counterOffer ? null : (this.draft?.asked ?? null)));
  readonly requested = $derived.by(() => this.fixed ?? this.wanted);

  /** Whether the form is in use, so that it stays when a deal arrives. */
  readonly begun = $derived.by(() => this.possible && this.open);

  /** Jumps a term may name: presence for formations and the own solo, everything else for all jumps. */
  jumps(pledge: Pledge, seat: Seat | null): Jump[] {
    const solos = Array.from({ length: this.table.view.seats }, (_, owner): Jump => ({ number: 1, solo: owner }));
    const formations = this.table.view.formations.map((number): Jump => ({ number, solo: null }));
    const own = solos.filter((jump) => !BY_PRESENCE.includes(pledge) || jump.solo === seat);
    return [...formations, ...own];
  }

  turnTo(seat: Seat | null): void {
    if (this.draft && !this.counterOffer) return;
    this.open = true;
    this.chosen = seat;
    this.wanted = null;
  }

  /** Fill the form with a counter-offer. */
  answer(to: Seat, said: Term, wanted: Term): void {
    const begun = this.draft !== null && this.draft.to === to && this.draft.asked === null;
    this.counterOffer = this.draft !== null && !begun;
    [this.chosen, this.said, this.wanted] = [to, said, wanted];
  }

  say(change: Partial<Term>): void {
    this.open = true;
    this.said = this.changed(this.mine, change, this.table.me);
  }

  want(change: Partial<Term> | null): void {
    this.open = true;
    const first: Term = { pledge: 'sure', jump: this.mine.jump };
    this.wanted = change && this.to !== null ? this.changed(this.wanted ?? first, change, this.to) : null;
  }

  /** Send the promise as its two or three actions; resumes one that was begun. */
  async make(): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const accepted = (await this.begin()) && (await this.ask()) && (await this.finish());
    this.busy = false;
    if (accepted) this.chosen = this.said = this.wanted = null;
    if (accepted) this.open = false;
    return accepted;
  }

  private async begin(): Promise<boolean> {
    if (this.draft && !this.counterOffer) return true;
    const { to } = this;
    const begun = await this.courier.send(() => this.table.offers('PromiseTo').find((offer) => offer.to === to));
    this.counterOffer &&= !begun;
    return begun;
  }

  private async ask(): Promise<boolean> {
    const { wanted } = this;
    if (!wanted || this.draft?.asked) return true;
    return this.courier.send(() => this.table.offers('AskInExchange').find((offer) => sameTerm(offer.term, wanted)));
  }

  private async finish(): Promise<boolean> {
    const { mine } = this;
    return this.courier.send(() => this.table.offers('Promise').find((offer) => sameTerm(offer.term, mine)));
  }

  /** Change a term and keep it valid: figures need a value, and not every pledge fits every jump. */
  private changed(term: Term, change: Partial<Term>, seat: Seat | null): Term {
    const next = { ...term, ...change };
    const jumps = this.jumps(next.pledge, seat);
    const jump = jumps.find((one) => sameJump(one, next.jump)) ?? jumps[0]!;
    return { pledge: next.pledge, jump, worth: next.pledge === 'figures' ? next.worth || FIRST_WORTH : 0 };
  }
}

export function sameTerm(one: Term, other: Term): boolean {
  return one.pledge === other.pledge && sameJump(one.jump, other.jump) && (one.worth ?? 0) === (other.worth ?? 0);
}
