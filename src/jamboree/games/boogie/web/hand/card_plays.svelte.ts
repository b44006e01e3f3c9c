/**
 * Optimistic UI for card plays: a card appears on its jump at once, as a ghost, until the view contains it or the
 * server refuses it. The view is authoritative; a ghost is never shown beside the card it stands for.
 */
import type { Caution } from '$lib/contract';
import { jumpKey, sameJump, without } from '../model/cards';
import type { ActionQueue } from '../model/action_queue';
import type { Jump, PlayCard, Table } from '../model/wire';

export interface Ghost {
  id: number;
  card: string;
  jump: Jump;
  jumprun: number;
  before: number; // number of equal cards of mine in the view when it was sent
}

export class CardPlays {
  picked = $state.raw<string | null>(null); // the selected card
  place = $state(-1); // which of several equal ones
  aimed = $state.raw<string | null>(null); // a jump selected first: the next card goes there
  over = $state.raw<string | null>(null); // the jump under a dragged card
  doubt = $state.raw<PlayCard | null>(null); // waits for a confirmation after a warning
  private ghosts = $state.raw<Ghost[]>([]);
  private offered: PlayCard[] = []; // last known offers; there are none while a play is pending
  private count = 0;
  private readonly arrived = new Set<number>(); // ghosts

  constructor(
    private readonly table: Table,
    private readonly queue: ActionQueue,
  ) {}

  /** After PULL a card counts as late; the server sends a caution. */
  readonly late = $derived.by(() => this.table.view.phase === 'pulled');
  readonly open = $derived.by(() => (this.table.view.phase === 'jump' || this.late) && this.table.me !== null);
  readonly flying = $derived.by(() => this.ghosts.filter((ghost) => this.isFlying(ghost)));
  readonly hand = $derived.by(() => {
    const held = this.table.me === null ? null : this.table.view.hands[this.table.me]?.cards;
    return held
      ? without(
          held,
          this.flying.map((ghost) => ghost.card),
        )
      : null;
  });
  private readonly known = $derived.by(() => {
    if (this.table.canAct) this.offered = this.table.offers('PlayCard');
    return this.open ? this.offered.filter((play) => play.after_pull === this.late) : [];
  });
  readonly targets = $derived.by(() => {
    const card = this.picked;
    return new Set(this.known.filter((play) => play.card === card).map((play) => jumpKey(play.jump)));
  });
  readonly warnings = $derived.by((): Caution[] => (this.doubt && this.open ? this.table.cautions(this.doubt) : []));

  find(card: string, jump: Jump): PlayCard | undefined {
    return this.known.find((play) => play.card === card && sameJump(play.jump, jump));
  }

  /** Select or deselect a card; if a jump is selected, lay it there. */
  pick(card: string, place: number, jumps: readonly Jump[]): void {
    const aimed = jumps.find((jump) => jumpKey(jump) === this.aimed);
    if (aimed) this.lay(card, aimed);
    else if (this.picked === card && this.place === place) this.picked = null;
    else this.take(card, place);
  }

  take(card: string, place: number): void {
    [this.picked, this.place] = [card, place];
  }

  /** Select a jump: lay the selected card there, or the next one. */
  aim(jump: Jump): void {
    if (this.picked) this.lay(this.picked, jump);
    else this.aimed = this.aimed === jumpKey(jump) ? null : jumpKey(jump);
  }

  letGo(): void {
    this.picked = this.aimed = this.over = this.doubt = null;
  }

  /** Lay a card face down; one with a caution waits for a confirmation. */
  lay(card: string, jump: Jump, warned = false): void {
    this.letGo();
    this.table.consider(null);
    if (!this.open) return;
    const play = this.find(card, jump);
    if (this.late && !play) return void this.table.whyNot({ type: 'PlayCard', card, jump, after_pull: true });
    if (play && !warned && !this.flying.length && this.table.cautions(play).length) {
      this.doubt = play;
      return;
    }
    const ghost = this.ghost(card, jump);
    this.ghosts = [...this.ghosts.filter((one) => this.isFlying(one)), ghost];
    this.table.sound('pop');
    void this.send(ghost, warned);
  }

  /** Confirm the play. */
  insist(): void {
    if (this.doubt) this.lay(this.doubt.card, this.doubt.jump, true);
  }

  async done(): Promise<boolean> {
    this.letGo();
    return this.queue.send(() => this.table.offers('SayDone')[0]);
  }

  private async send(ghost: Ghost, warned: boolean): Promise<void> {
    const accepted = await this.queue.send(() => {
      const play = this.find(ghost.card, ghost.jump);
      if (!play || warned || !this.table.cautions(play).length) return play;
      this.doubt = play; // earlier pending cards added a caution
      return null;
    });
    if (accepted) return;
    this.ghosts = this.ghosts.filter((one) => one.id !== ghost.id);
    if (!this.doubt) await this.explain(ghost);
  }

  /** Ask the server why a returned card is illegal, unless its refusal has explained it. */
  private async explain(ghost: Ghost): Promise<void> {
    const { card, jump } = ghost;
    if (!this.find(card, jump)) await this.table.whyNot({ type: 'PlayCard', card, jump, after_pull: false });
  }

  private ghost(card: string, jump: Jump): Ghost {
    const alike = this.flying.filter((ghost) => ghost.card === card && sameJump(ghost.jump, jump));
    const before = this.laid(card, jump) + alike.length;
    return { id: this.count++, card, jump, jumprun: this.table.view.jumprun, before };
  }

  /** A card in the view is no longer pending, even if a coach undoes it later. */
  private isFlying(ghost: Ghost): boolean {
    const here = this.open && ghost.jumprun === this.table.view.jumprun;
    if (here && this.laid(ghost.card, ghost.jump) > ghost.before) this.arrived.add(ghost.id);
    return here && !this.arrived.has(ghost.id);
  }

  private laid(card: string, jump: Jump): number {
    const mine = this.table.view.plays.filter((laid) => laid.seat === this.table.me && laid.card === card);
    return mine.filter((laid) => sameJump(laid.jump, jump)).length;
  }
}
