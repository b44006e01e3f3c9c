/** State shared by Boogie's components: pending plays, the promise form, and the playback of the jury. */
import type { TableUiProps } from '$lib/contract';
import { Courier } from './action_queue';
import { JuryShow } from '../board/jury/jury.svelte';
import { Deals } from '../hand/deals.svelte';
import { Laying } from '../hand/card_plays.svelte';
import { Promising } from '../hand/promise_form.svelte';
import { WIND_FROM } from '../animation/sounds';
import type { Action, Event, Jump, Table, View } from './wire';

export type Props = TableUiProps<View, Action, Event, Boogie>;

export class Boogie {
  pulled = $state(false); // PULL! is being called
  readonly courier: Courier;
  readonly laying: Laying;
  readonly promising: Promising;
  readonly deals: Deals;
  readonly jury: JuryShow;

  constructor(private readonly table: Table) {
    this.courier = new Courier(table);
    this.laying = new Laying(table, this.courier);
    this.promising = new Promising(table, this.courier);
    this.deals = new Deals(table, this.promising);
    this.jury = new JuryShow(table);
  }

  readonly formations = $derived.by(() => this.table.view.formations.map((number): Jump => ({ number, solo: null })));
  readonly solos = $derived.by(() =>
    Array.from({ length: this.table.view.seats }, (_, solo): Jump => ({ number: 1, solo })),
  );
  readonly jumps = $derived.by(() => [...this.formations, ...this.solos]);
  /** More jumps than lie comfortably one under the other. */
  readonly crowded = $derived.by(() => this.formations.length > 3);
  /** The last seconds before PULL: they are seen as well as heard. */
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

  /** Whether a plane has left since something was told. */
  isGone(event: Event): boolean {
    const events = this.table.log.map((line) => line.event as Event | undefined);
    return events.slice(events.indexOf(event) + 1).some((later) => later?.type === 'PlaneBoarded');
  }

  /** Have the jury show the jump that an event was about, if it has that jump before it. */
  turnTo(jump: Jump | null, event: Event): void {
    if (jump && this.scene === 'jury' && !this.isGone(event)) this.jury.lookBackAt(jump);
  }

  /** What the prompt says while a story is told; PULL counts at once, though the call takes its time. */
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
