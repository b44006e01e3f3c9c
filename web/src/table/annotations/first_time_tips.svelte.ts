/** First-time tips: one sentence on what is new to this browser, shown once, while its player chooses. */
import { untrack } from 'svelte';
import type { Tagged } from '$lib/contract';
import { isStringList, store, recallRecord } from '$lib/storage';
import { settings } from '$lib/settings.svelte';
import type { Table } from '$lib/table/table.svelte';
import { matchingTip, momentsOf, type Come, type Heard, type Moment } from './moments';

const KEY = 'jamboree.firsts';
const BRIEF = 15; // seconds of a clock, too few for a tip
const DELAY = 120; // ms after the decision begins, so that the question comes first

const stored = (): Record<string, string[]> => recallRecord(KEY, isStringList);

export class FirstTimeTips {
  now = $state.raw<Come | null>(null);
  private opened = $state(false); // by the player, although a clock runs
  private moments = $state.raw<Moment[]>([]);
  private animatedEvents: Heard[] = []; // events animated since my last decision
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly known: Set<string>;

  /** Whether time is short, so that no tip opens by itself. */
  private readonly hurried = $derived.by(() => {
    const { clock, ui, view } = this.table;
    return !!clock?.running && !ui.isUnhurried?.(view);
  });
  /** The phase of the newest view: a tip must not outlast its phase during the animations that end it. */
  private readonly phase = $derived.by(() => this.table.ui.phase?.(this.table.latestView) ?? '');

  /** Against a clock a tip waits beside it, until the player opens it. */
  readonly folded = $derived.by(() => !!this.now && this.hurried && !this.opened);
  /** The open tip; it gives way to a hint and to an explanation. */
  readonly shown = $derived.by(() => {
    const { hints, explainedEntry } = this.table;
    return this.folded || hints.open || explainedEntry ? null : this.now;
  });

  constructor(private readonly table: Table) {
    this.known = new Set(stored()[table.game] ?? []);
    void momentsOf(table.game).then((moments) => (this.moments = moments));
  }

  /** Follow the table, as long as its frame is there: called while that is set up. */
  follow(): void {
    const { table } = this;
    $effect(() => {
      table.store.onAnimated = (event) => this.hear(event);
      return () => {
        table.store.onAnimated = () => undefined;
        this.end();
      };
    });
    $effect(() => {
      void this.phase;
      untrack(() => this.end());
    });
    $effect(() => {
      const moved = table.pending && !this.hurried; // against a clock several moves are made in one phase
      if (moved || !table.isMyTurn) untrack(() => this.end());
    });
    $effect(() => {
      if (this.moments.length && table.step !== null) untrack(() => this.check());
    });
  }

  open(): void {
    this.opened = true;
  }

  /** End the tip: hidden by its player, or with its phase. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.now = null;
    this.opened = false;
  }

  hear(event: Tagged): void {
    if (settings.firsts && this.table.me !== null) this.animatedEvents.push({ event, view: this.table.view });
  }

  /** Look for something new in what has happened and what can be done. One tip at a time; the others wait for their next time. */
  check(): void {
    const { table } = this;
    const brief = !!table.clock?.running && table.clock.of <= BRIEF;
    if (!table.canAct || brief) return;
    const events = this.animatedEvents.splice(0);
    if (this.now || this.timer || !settings.firsts) return;
    const { legal: offers, view, ui, model } = table;
    const situation = { events, offers, view };
    const match = matchingTip(this.moments, this.known, situation, (event) => ui.places?.(event, model) ?? []);
    if (match) this.timer = setTimeout(() => this.show(match), DELAY);
  }

  private show(come: Come): void {
    this.timer = undefined;
    this.now = come;
    this.known.add(come.moment.key);
    store(KEY, { ...stored(), [this.table.game]: [...this.known] });
  }
}
