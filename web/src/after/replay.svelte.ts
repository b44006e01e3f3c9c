/** A replay of a game in a room of its own, where nothing can be asked. */
import type { Face, Painting } from '$lib/contract';
import { wear } from '$lib/looks.svelte';
import { Room } from '$lib/table/room.svelte';
import { Table } from '$lib/table/table.svelte';
import type { Seat } from '$lib/contract';
import type { LogStep } from '../net/api';
import type { Answer, Post, TableLooked } from '../net/wire';

const nobody: Post = {
  state: 'open',
  restarting: false,
  restart: () => undefined,
  ask: () => Promise.resolve<Answer>({ type: 'error', id: null, code: 'not-playing', sentence: '', detail: null }),
};

/** A table nobody plays at any more; its reader is still called “you”. */
class Past extends Table {
  constructor(
    room: Room,
    face: Face,
    private readonly seat: Seat | null,
  ) {
    super(room, nobody, face);
  }

  override get reader(): Seat | null {
    return this.seat;
  }
}

export class Replay {
  readonly room = new Room();
  readonly table: Table;
  step = $state(0);
  views = $state.raw<unknown[]>([]); // as far as they have come

  constructor(
    readonly seen: TableLooked,
    views: unknown[],
    private readonly log: LogStep[],
    face: Face,
    private readonly paintings: Painting[] = [], // of every step, for a plain face
  ) {
    this.views = views;
    this.room.seen = seen;
    wear(seen.looks);
    this.table = new Past(this.room, face, seen.you.seat);
  }

  get last(): number {
    return this.views.length - 1;
  }

  /** What happened in the present step, in sentences. */
  get told(): string {
    const step = this.log.find((one) => one.step === this.step && !one.undone);
    return step?.sentences.map((sentence) => this.table.toMe(sentence)).join(' ') ?? '';
  }

  show(step: number): void {
    this.step = Math.max(0, Math.min(this.last, step));
    const painting = this.paintings[this.step];
    const nothing = { actors: [], legal: [], outcome: null, question: '', decided: '' };
    const position = { view: this.views[this.step], ...nothing, painting };
    this.room.position = position;
    this.room.story.set(position);
    this.room.log = [];
    this.room.readLog(this.log.filter((one) => (one.step ?? 0) <= this.step && !one.undone));
  }
}
