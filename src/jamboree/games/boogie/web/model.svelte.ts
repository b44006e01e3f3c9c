/** What the parts of this table share: cards on their way, a promise being made, and how far the jury has come. */
import type { FaceProps } from '$lib/contract';
import { Courier } from './courier';
import { JuryShow } from './jury.svelte';
import { Laying } from './laying.svelte';
import { Promising } from './promising.svelte';
import type { Action, Event, Jump, Table, View } from './wire';

export type Props = FaceProps<View, Action, Event, Boogie>;

export class Boogie {
  pulled = $state(false); // PULL! is being called
  readonly courier: Courier;
  readonly laying: Laying;
  readonly promising: Promising;
  readonly jury: JuryShow;

  constructor(private readonly table: Table) {
    this.courier = new Courier(table);
    this.laying = new Laying(table, this.courier);
    this.promising = new Promising(table, this.courier);
    this.jury = new JuryShow(table);
  }

  readonly formations = $derived.by(() => this.table.view.formations.map((number): Jump => ({ number, solo: null })));
  readonly solos = $derived.by(() =>
    Array.from({ length: this.table.view.seats }, (_, solo): Jump => ({ number: 1, solo })),
  );
  readonly jumps = $derived.by(() => [...this.formations, ...this.solos]);
  readonly scene = $derived.by((): 'ground' | 'plane' | 'jump' | 'jury' => {
    const { phase, jury } = this.table.view;
    if (this.jury.telling) return 'jury';
    if (phase === 'plane') return 'plane';
    if (phase === 'jump' || phase === 'pulled') return 'jump';
    return jury.jumps.length || phase === 'over' ? 'jury' : 'ground';
  });

  sayReady(): Promise<boolean> {
    return this.courier.send(() => this.table.offers('SayReady')[0]);
  }

  takeReadyBack(): Promise<boolean> {
    return this.courier.send(() => this.table.offers('WithdrawReady')[0]);
  }
}
