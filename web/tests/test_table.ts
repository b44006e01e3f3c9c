/** A table for tests of table UIs: the shell's own, at a position of a recorded game, connected to a scripted server. */
import { cleanup, render } from '@testing-library/svelte';
import { flushSync, type Component } from 'svelte';
import { readFileSync } from 'node:fs';
import { afterEach, vi } from 'vitest';
import type { TableUi, TableUiProps, TableModel, Tagged } from '$lib/contract';
import { words, type Language, type Texts } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { newTask } from '$lib/table/tasks';
import { decodeRecording } from '../src/net/legal_actions';
import type * as Wire from '../src/net/wire';

afterEach(cleanup);
vi.setConfig({ testTimeout: 30_000 }); // a board is large, and jsdom is slow on a busy machine

type Legal = Wire.Position['legal'];
export type Position<V> = Omit<Wire.Position, 'view'> & { view: V };
export type Update<V, E> = Omit<Wire.Update, 'position' | 'events'> & { position: Position<V>; events: E[] };
type Change<V> = Partial<V> | ((view: V) => Partial<V>);

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T;
const known = new Map<string, Wire.TableFrame[]>();

function recorded(name: string): Wire.TableFrame[] {
  if (!known.has(name)) known.set(name, decodeRecording(read<Wire.TableFrame[]>(`web/fixtures/${name}.json`)));
  return known.get(name)!;
}

/** The steps of a recorded game, as the player in the first seat heard them. */
export function updates<V, E>(name: string): Update<V, E>[] {
  return recorded(name).filter((frame) => frame.type === 'update') as unknown as Update<V, E>[];
}

/** The first step of a recorded game that is as wanted. */
export function stepOf<V, E>(name: string, wanted: (step: Update<V, E>) => boolean): Update<V, E> {
  const found = updates<V, E>(name).find(wanted);
  if (!found) throw new Error(`no such moment in ${name}`);
  return found;
}

export class Bench<V, A extends Tagged, E, M> implements Wire.Transport {
  readonly state = 'open';
  readonly restarting = false;
  readonly reconnect = (): void => undefined;
  readonly store = new TableStore();
  readonly acted: A[] = [];
  readonly wondered: A[] = []; // why not
  readonly previewed: A[] = [];
  readonly shell: Table;
  readonly table: TableModel<V, A, E>;
  readonly model: M;
  foreseen: E[] = []; // what a preview answers
  points: number[] = []; // and what it promises
  holding = false; // moves wait until they are kept or refused
  private readonly waiting: ((answer: Wire.Answer) => void)[] = [];

  constructor(ui: TableUi<V, A, E, M>, name: string, position: Position<V>, language: Language = 'en') {
    words.shell = read<Texts>(`web/src/locale/${language}.json`);
    const welcome = recorded(name).find((frame) => frame.type === 'welcome')!;
    this.store.receive({ ...welcome, position });
    this.shell = new Table(this.store, this, ui);
    this.shell.texts = read<Texts>(`src/jamboree/games/${ui.key}/words/locale/${language}.json`);
    this.table = this.shell as unknown as TableModel<V, A, E>;
    this.model = ui.model(this.table);
    this.shell.model = this.model;
  }

  request(message: Wire.TableRequest): Promise<Wire.Answer> {
    if (message.type !== 'act') return Promise.resolve(this.answer(message));
    this.acted.push(message.action as A);
    if (this.holding) return new Promise((resolve) => this.waiting.push(resolve));
    return Promise.resolve(this.kept());
  }

  /** Let the first move on its way be kept: the step is heard, and then the answer. */
  async keep(change: Change<V>, legal?: Legal): Promise<void> {
    this.step(change, legal);
    this.waiting.shift()?.(this.kept());
    await settle();
  }

  async refuse(): Promise<void> {
    this.waiting.shift()?.({ type: 'error', id: '', code: 'illegal', sentence: 'No.', detail: null });
    await settle();
  }

  /** Let something happen at the table. */
  step(change: Change<V>, legal?: Legal, events: E[] = []): void {
    const position = this.changed(change, legal);
    const told = { events: events as Tagged[], sentences: [], clock: null, undo: null, note: null };
    this.store.receive({ type: 'update', seq: this.store.seq + 1, position, ...told });
  }

  /** Let the table be another in something, as if it had always been so. */
  change(change: Change<V>, legal?: Legal, actors?: number[]): void {
    const position = this.changed(change, legal);
    this.store.position = { ...position, actors: actors ?? position.actors };
    this.store.animations.set(this.store.position);
  }

  watch(): void {
    this.store.you = { person: null, seat: null };
  }

  draw<P extends TableUiProps>(part: Component<P>, more?: Omit<P, keyof TableUiProps>): HTMLElement {
    const props = { table: this.table, model: this.model, ...more } as TableUiProps;
    return render(part as Component<TableUiProps>, { props }).container;
  }

  private answer(message: Wire.TableRequest): Wire.Answer {
    if (message.type === 'why-not') {
      this.wondered.push(message.action as A);
      return { type: 'why-not', id: '', allowed: false, sentence: 'Because.', detail: null };
    }
    if (message.type === 'preview') {
      this.previewed.push(message.action as A);
      const certain = { sentences: ['It is told.'], chance_follows: false, undo: 'free' as const };
      return { type: 'preview', id: '', events: this.foreseen as Tagged[], points: this.points, ...certain };
    }
    return this.kept();
  }

  private kept(): Wire.Answer {
    return { type: 'ack', id: '', seq: this.store.seq };
  }

  private changed(change: Change<V>, legal?: Legal): Wire.Position {
    const position = this.store.position!;
    const view = position.view as V;
    const now = typeof change === 'function' ? change(view) : change;
    return { ...position, view: { ...view, ...now }, legal: legal ?? position.legal };
  }
}

/** Wait until a scene has come in with all its parts. */
export async function allThere(): Promise<void> {
  await newTask();
  await settle();
}

/** Wait until everything that follows from the last step has followed. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
    flushSync();
  }
}
