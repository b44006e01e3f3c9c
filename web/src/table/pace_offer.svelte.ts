/** Offers quicker bots to a person who has waited long for them. */
import { untrack } from 'svelte';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table/table.svelte';
import { api } from '../net/api';
import type { BotPace } from '$types/wire';

const LONG = 6_000; // ms

export class PaceOffer {
  waited = $state(0); // ms, the longest time between two decisions of mine
  private since: number | null = null;
  private watched = false; // the page was visible all the time

  constructor(private readonly table: Table) {}

  /** Whether to ask now, while bots move: at the default pace, once for this browser. */
  get open(): boolean {
    const { table } = this;
    const info = table.store.table;
    const asks = table.skippable && table.hosting && !!info?.bots.length && !info.lesson;
    return asks && info.pace === 'relaxed' && !settings.stored.paceAsked && this.waited >= LONG;
  }

  get seconds(): number {
    return Math.round(this.waited / 1000);
  }

  /** Measure how long the bots take, with all animations; called while a component is set up. */
  follow(): void {
    $effect(() => {
      const mine = this.table.isMyTurn && !this.table.animating;
      untrack(() => this.measure(mine));
    });
    $effect(() => {
      const hide = (): void => void (this.watched = false);
      document.addEventListener('visibilitychange', hide);
      return () => document.removeEventListener('visibilitychange', hide);
    });
  }

  async answer(pace: BotPace): Promise<void> {
    settings.change({ paceAsked: true, pace });
    if (pace !== 'relaxed') await api.pace(this.table.store.table!.table, pace).catch(() => undefined); // the tool bar shows the pace
  }

  private measure(mine: boolean): void {
    if (!mine) {
      if (this.since === null) [this.since, this.watched] = [performance.now(), true];
      return;
    }
    if (this.since !== null && this.watched && !this.table.paused) {
      this.waited = Math.max(this.waited, performance.now() - this.since);
    }
    this.since = null;
  }
}
