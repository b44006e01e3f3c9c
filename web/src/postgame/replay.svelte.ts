/** A replay: a read-only table that steps through a finished game. */
import type { TableUi, Painting } from '$lib/contract';
import { setAvatars } from '$lib/avatars.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import type { Seat } from '$lib/contract';
import type { Eyes, LogStep } from '../net/api';
import type { Answer, Transport, TableResponse } from '../net/wire';
import { playedLine, readerOf } from './played';

const nobody: Transport = {
  state: 'open',
  restarting: false,
  reconnect: () => undefined,
  request: () => Promise.resolve<Answer>({ type: 'error', id: null, code: 'not-playing', sentence: '', detail: null }),
};

/** A finished table as a seat saw it; its player is still called “you”. */
class FinishedTable extends Table {
  constructor(
    store: TableStore,
    ui: TableUi,
    private readonly seat: Seat | null,
    private readonly eyes: Eyes,
  ) {
    super(store, nobody, ui);
  }

  override get me(): Seat | null {
    return this.eyes;
  }
  override get reader(): Seat | null {
    return this.seat;
  }
}

export class Replay {
  readonly store = new TableStore();
  readonly table: Table;
  step = $state(0);
  views = $state.raw<unknown[]>([]); // loaded so far

  constructor(
    readonly info: TableResponse,
    views: unknown[],
    private readonly log: LogStep[],
    ui: TableUi,
    private readonly paintings: Painting[] = [], // of every step, for the plain table UI
    readonly eyes: Eyes = null, // the viewer
    private readonly day: number | string = info.touched, // when it was played
  ) {
    this.views = views;
    this.store.table = info;
    setAvatars(info.avatars);
    this.table = new FinishedTable(this.store, ui, readerOf(info), eyes);
  }

  get last(): number {
    return this.views.length - 1;
  }

  /** The day, and the players with their final scores. */
  get played(): string {
    const names = Array.from({ length: this.info.seats }, (_, seat) => this.table.name(seat));
    return playedLine(this.day, names, this.info.outcome?.scores ?? []);
  }

  /** The sentences of the current step. */
  get sentence(): string {
    const step = this.log.find((one) => one.step === this.step && !one.undone);
    return step?.sentences.join(' ') ?? '';
  }

  /** The next step that changes anybody's points; null if there is none or points are unknown. */
  get nextScore(): number | null {
    for (let step = this.step + 1; step <= this.last; step++)
      if (this.points(step).join() !== this.points(step - 1).join()) return step;
    return null;
  }

  /** All players' points after a step, as far as visible. */
  points(step: number): number[] {
    return this.paintings[step]?.scores ?? this.table.ui.scores?.(this.views[step]) ?? [];
  }

  show(step: number): void {
    this.step = Math.max(0, Math.min(this.last, step));
    const painting = this.paintings[this.step];
    const nothing = { actors: [], legal: [], outcome: null, question: '', decided: '' };
    const position = { view: this.views[this.step], ...nothing, painting };
    this.store.position = position;
    this.store.animations.set(position);
    this.store.log = [];
    this.store.setLog(this.log.filter((one) => (one.step ?? 0) <= this.step && !one.undone));
  }
}
