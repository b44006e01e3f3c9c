/** Deals offered to me, which I can accept, decline or answer with a counter-offer, and the answers to mine. */
import { sameTerm } from './promise_form.svelte';
import type { PromiseForm } from './promise_form.svelte';
import type { Seat } from '$lib/contract';
import type { Promised, Table, Term } from '../model/wire';

export interface Deal extends Promised {
  asked: Term;
}

/** Something about a deal that I should notice. */
export interface DealNews {
  key: string;
  seat: Seat;
  what: 'offered' | 'countered' | 'accepted' | 'refused';
  text?: string; // their words
}

const REPLY = 'reply.'; // phrases that answer deals
const NO = 'reply.no';

export function isDeal(promised: Promised): promised is Deal {
  return promised.asked !== null;
}

export class Deals {
  private turnedDown = $state.raw<readonly string[]>([]);
  private countered = $state.raw<readonly string[]>([]); // where “Counter” was pressed; answered once a deal is made

  constructor(
    private readonly table: Table,
    private readonly promising: PromiseForm,
  ) {}

  /** Unanswered deals offered to me in this plane phase. */
  readonly waiting = $derived.by((): Deal[] => {
    const { view, me } = this.table;
    if (view.phase !== 'plane' || me === null) return [];
    const offered = view.promises.filter(isDeal).filter((deal) => deal.to === me && !this.accepted(deal));
    return offered.filter((deal) => !this.isAnswered(deal) && !this.turnedDown.includes(this.key(deal)));
  });

  /** What became known of deals in this plane phase: those offered to me, and the answers to mine; each with a key. */
  readonly news = $derived.by((): DealNews[] => {
    const { view, me, chat } = this.table;
    if (view.phase !== 'plane' || me === null) return [];
    const offered = view.promises.filter(isDeal).filter((deal) => deal.to === me);
    const said = chat.filter((line) => line.phrase?.startsWith(REPLY) && line.seat !== null && line.seat !== me);
    return [
      ...offered.map((deal): DealNews => ({ key: this.key(deal), seat: deal.seat, what: this.kind(deal) })),
      ...said.map((line): DealNews => ({ key: line.id, seat: line.seat!, what: 'refused', text: line.text })),
    ];
  });

  /** Accept: promise what is asked in return for what is given. */
  async accept(deal: Deal): Promise<boolean> {
    if (!this.promising.possible) return this.explain(deal);
    this.promising.answer(deal.seat, deal.asked, deal.term);
    return this.promising.make();
  }

  /** Start a counter-offer with the same terms reversed. */
  counter(deal: Deal): void {
    if (!this.promising.possible) return void this.explain(deal);
    this.countered = [...this.countered, this.key(deal)];
    this.promising.answer(deal.seat, deal.asked, deal.term);
    this.promising.open = true;
  }

  /** Decline; a person gets a private message. */
  decline(deal: Deal): void {
    this.turnedDown = [...this.turnedDown, this.key(deal)];
    const person = this.table.person(deal.seat);
    if (person && !this.table.isBot(deal.seat)) void this.table.sendPhrase(NO, person);
  }

  private kind(deal: Deal): DealNews['what'] {
    if (this.accepted(deal)) return 'accepted';
    return this.mine(deal).length ? 'countered' : 'offered';
  }

  /** Whether a deal is another player's yes to one of mine: the same terms, the other way round. */
  private accepted(deal: Deal): boolean {
    return this.mine(deal).some((one) => sameTerm(one.term, deal.asked) && sameTerm(one.asked, deal.term));
  }

  /** My own deals with the player who offered this one, made before it. */
  private mine(deal: Deal): Deal[] {
    const { view, me } = this.table;
    const before = view.promises.slice(0, view.promises.indexOf(deal)).filter(isDeal);
    return before.filter((one) => one.seat === me && one.to === deal.seat);
  }

  /** Whether I have since promised them, and nobody else, what they asked for, or made a counter-offer. */
  private isAnswered(deal: Deal): boolean {
    const { view, me } = this.table;
    const since = view.promises.slice(view.promises.indexOf(deal) + 1);
    return since
      .filter((one) => one.seat === me && one.to === deal.seat)
      .some((one) => sameTerm(one.term, deal.asked) || (isDeal(one) && this.isCounter(one, deal)));
  }

  /** Whether a deal of mine asks for what was offered, or was made after “Counter” was pressed. */
  private isCounter(mine: Deal, deal: Deal): boolean {
    return sameTerm(mine.asked, deal.term) || this.countered.includes(this.key(deal));
  }

  private key(deal: Deal): string {
    return `${this.table.view.jumprun}.${this.table.view.promises.indexOf(deal)}`;
  }

  private async explain({ seat }: Deal): Promise<boolean> {
    await this.table.whyNot({ type: 'PromiseTo', to: seat });
    return false;
  }
}
