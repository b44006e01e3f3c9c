/** First-time tips: one line for what is new to this browser, shown once. */
import type { Tagged } from '$lib/contract';
import { isStringList, store, recallRecord } from '$lib/storage';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table/table.svelte';
import { matchingTip, momentsOf, type Come, type Heard, type Moment } from './moments';

const KEY = 'jamboree.firsts';

const stored = (): Record<string, string[]> => recallRecord(KEY, isStringList);

export class FirstTimeTips {
  now = $state.raw<Come | null>(null);
  private moments = $state.raw<Moment[]>([]);
  private animatedEvents: Heard[] = []; // events animated since the table was last idle
  private readonly known: Set<string>;

  constructor(private readonly table: Table) {
    this.known = new Set(stored()[table.game] ?? []);
    void momentsOf(table.game).then((moments) => (this.moments = moments));
  }

  hear(event: Tagged): void {
    this.animatedEvents.push({ event, view: this.table.view });
  }

  /** Look whether something is new, now that all has been told. One line at a time; the others wait for their next time. */
  check(): void {
    const events = this.animatedEvents.splice(0);
    if (this.now || !settings.firsts || this.table.me === null || !this.table.playing) return;
    const { legal: offers, view, ui, model } = this.table;
    const situation = { events, offers, view: this.table.canAct ? view : null };
    const match = matchingTip(this.moments, this.known, situation, (event) => ui.places?.(event, model) ?? []);
    if (match) this.offer(match);
  }

  close(): void {
    this.now = null;
  }

  private offer(come: Come): void {
    this.now = come;
    this.known.add(come.moment.key);
    store(KEY, { ...stored(), [this.table.game]: [...this.known] });
  }
}
