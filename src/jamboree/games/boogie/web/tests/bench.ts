/** A table for tests: the shell's own, fed with a recorded game, and a desk that answers when it is told to. */
import './gaps';
import { readFileSync } from 'node:fs';
import { Room } from '$lib/room.svelte';
import { Table as ShellTable } from '$lib/table.svelte';
import { flushSync } from 'svelte';
import face from '../index';
import type { Boogie } from '../model/model.svelte';
import type { Action, Event, Table, View } from '../model/wire';

type News = Parameters<Room['hear']>[0];
type Post = ConstructorParameters<typeof ShellTable>[1];
type Answer = Awaited<ReturnType<Post['ask']>>;
type Update = Extract<News, { type: 'update' }> & { events: Event[]; position: { view: View } };

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T;

export function recorded(name: string): News[] {
  const frames = read<News[]>(`web/fixtures/${name}.json`);
  return frames.filter((frame) => ['welcome', 'update', 'table'].includes(frame.type));
}

export class Bench implements Post {
  state: Post['state'] = 'open';
  restarting = false;
  restart = (): void => undefined;
  readonly room = new Room();
  readonly asked: Action[] = [];
  readonly why: Action[] = [];
  readonly shell: ShellTable;
  readonly table: Table;
  readonly model: Boogie;
  private readonly open: ((answer: Answer) => void)[] = [];

  constructor(frames: News[]) {
    for (const frame of frames.filter((one) => one.type !== 'update')) this.room.hear(frame);
    const last = frames.findLast((frame) => frame.type === 'update');
    const { seq, seen, you } = this.room;
    if (last)
      this.room.hear({
        type: 'welcome',
        seq,
        you,
        table: seen!,
        position: last.position,
        missed: null,
        talk: [],
        clock: null,
        undo: null,
      });
    this.shell = new ShellTable(this.room, this, face);
    this.shell.texts = read('src/jamboree/games/boogie/words/locale/en.json');
    this.table = this.shell as unknown as Table;
    this.model = face.model(this.table);
    this.shell.model = this.model;
  }

  ask(message: Parameters<Post['ask']>[0]): Promise<Answer> {
    if (message.type === 'why-not') {
      this.why.push(message.action as Action);
      return Promise.resolve({ type: 'why', id: '', allowed: false, sentence: 'Because.', detail: null });
    }
    if (message.type !== 'act') return new Promise(() => undefined);
    this.asked.push(message.action as Action);
    return new Promise((resolve) => this.open.push(resolve));
  }

  /** Let the first move on its way be kept: the step is heard, and then the answer. */
  async keep(change: (view: View) => Partial<View>, legal?: Update['position']['legal']): Promise<void> {
    this.step(change, legal);
    this.open.shift()?.({ type: 'ack', id: '', seq: this.room.seq });
    await settle();
  }

  async refuse(): Promise<void> {
    this.open.shift()?.({ type: 'error', id: '', code: 'illegal', sentence: 'No.', detail: null });
    await settle();
  }

  /** Let something happen at the table. */
  step(change: (view: View) => Partial<View>, legal?: Update['position']['legal'], events: Event[] = []): void {
    const position = this.room.position!;
    const view = position.view as View;
    const next = { ...position, view: { ...view, ...change(view) }, legal: legal ?? position.legal };
    this.room.hear({
      type: 'update',
      seq: this.room.seq + 1,
      events,
      sentences: [],
      position: next,
      clock: null,
      undo: null,
      note: null,
    });
  }
}

/** Wait until everything that follows from the last step has followed. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
    flushSync();
  }
}

/** A bench at the first moment of a game that is as wanted. */
export function benchAt(name: string, wanted: (frame: Update) => boolean): Bench {
  const frames = recorded(name);
  const at = frames.findIndex((frame) => frame.type === 'update' && wanted(frame as Update));
  if (at < 0) throw new Error(`no such moment in ${name}`);
  return new Bench(frames.slice(0, at + 1));
}
