/** State shared by Boogie's components: pending plays, the promise form, and the playback of the jury. */
import type { TableUiProps } from '$lib/contract';
import { ActionQueue } from './action_queue';
import { JuryPlayback } from '../board/jury/jury.svelte';
import { resume } from '../board/jury/tv/play_from';
import { Deals } from '../hand/deals.svelte';
import { CardPlays } from '../hand/card_plays.svelte';
import { PromiseForm } from '../hand/promise_form.svelte';
import { WIND_FROM } from '../animation/sounds';
import type { Action, Event, Jump, Table, View } from './wire';

export type Props = TableUiProps<View, Action, Event, BoogieModel>;

export class BoogieModel {
  pulled = $state(false); // the PULL animation runs
  readonly courier: ActionQueue;
  readonly laying: CardPlays;
  readonly promising: PromiseForm;
  readonly deals: Deals;
  readonly jury: JuryPlayback;

  constructor(private readonly table: Table) {
    this.courier = new ActionQueue(table);
    this.laying = new CardPlays(table, this.courier);
    this.promising = new PromiseForm(table, this.courier);
    this.deals = new Deals(table, this.promising);
    this.jury = new JuryPlayback(table);
    resume(table, this);
  }

  readonly formations = $derived.by(() => this.table.view.formations.map((number): Jump => ({ number, solo: null })));
  readonly solos = $derived.by(() =>
    Array.from({ length: this.table.view.seats }, (_, solo): Jump => ({ number: 1, solo })),
  );
  readonly jumps = $derived.by(() => [...this.formations, ...this.solos]);
  /** Whether there are many jumps. */
  readonly crowded = $derived.by(() => this.formations.length > 3);
  /** Whether the last seconds before PULL have begun. */
  readonly urgent = $derived.by(() => {
    const { clock, view } = this.table;
    return view.phase === 'jump' && clock?.kind === 'phase' && clock.running && clock.left <= WIND_FROM;
  });
  readonly locked = $derived.by(() => this.pulled || this.table.view.phase === 'pulled');
  readonly scene = $derived.by((): 'ground' | 'plane' | 'jump' | 'jury' => {
    const { phase, jury } = this.table.view;
    if (this.jury.playing) return 'jury';
    if (phase === 'plane') return 'plane';
    if (phase === 'jump' || phase === 'pulled') return 'jump';
    return jury.jumps.length || phase === 'over' ? 'jury' : 'ground';
  });

  /** Whether a plane has left since an event. */
  isGone(event: Event): boolean {
    const events = this.table.log.map((line) => line.event as Event | undefined);
    return events.slice(events.indexOf(event) + 1).some((later) => later?.type === 'PlaneBoarded');
  }

  /** Show the jump of an event in the jury, if it has it. */
  turnTo(jump: Jump | null, event: Event): void {
    if (jump && this.scene === 'jury' && !this.isGone(event)) this.jury.lookBackAt(jump);
  }

  /** The prompt during animations; after PULL at once. */
  prompt(table: Table): string | null {
    return this.pulled && table.view.phase === 'jump' ? table.t('web.pull') : this.jury.prompt(table);
  }

  sayReady(): Promise<boolean> {
    return this.courier.send(() => this.table.offers('SayReady')[0]);
  }

  takeReadyBack(): Promise<boolean> {
    return this.courier.send(() => this.table.offers('WithdrawReady')[0]);
  }
}
