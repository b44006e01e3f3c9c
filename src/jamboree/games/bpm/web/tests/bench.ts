/** A table for tests: the shell's own, at a moment of a recorded game, before a server that only listens. */
import { readFileSync } from 'node:fs';
import { Room } from '$lib/room.svelte';
import { Table } from '$lib/table.svelte';
import type { Component } from 'svelte';
import { cleanup, render } from '@testing-library/svelte';
import { afterEach } from 'vitest';
import type { Club } from '../model/model.svelte';
import face from '../index';
import type { Action, BpmTable, Event, Props, View } from '../model/wire';

type News = Parameters<Room['hear']>[0];
type Post = ConstructorParameters<typeof Table>[1];
type Asking = Parameters<Post['ask']>[0];
export type Update = Extract<News, { type: 'update' }> & { events: Event[]; position: { view: View } };

globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

afterEach(cleanup);

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T;

const known = new Map<string, News[]>();

function recorded(name: string): News[] {
  if (!known.has(name)) known.set(name, read<News[]>(`web/fixtures/${name}.json`));
  return known.get(name)!;
}

export function updates(name: string): Update[] {
  return recorded(name).filter((frame) => frame.type === 'update') as Update[];
}

export class Bench implements Post {
  readonly state = 'open';
  readonly restarting = false;
  readonly restart = (): void => undefined;
  readonly room = new Room();
  readonly acted: Action[] = [];
  readonly wondered: Action[] = []; // why not
  readonly shell: Table;
  readonly table: BpmTable;
  readonly club: Club;
  foreseen: Event[] = []; // what a preview answers

  constructor(name: string, wanted: (view: View, frame: Update) => boolean, language = 'en') {
    const welcome = recorded(name).find((frame) => frame.type === 'welcome')!;
    const moment = updates(name).find((frame) => wanted(frame.position.view, frame));
    if (!moment) throw new Error(`no such moment in ${name}`);
    this.room.hear({ ...welcome, position: moment.position });
    this.shell = new Table(this.room, this, face);
    this.shell.texts = read(`src/jamboree/games/bpm/words/locale/${language}.json`);
    this.table = this.shell as unknown as BpmTable;
    this.club = face.model(this.table);
    this.shell.model = this.club;
  }

  async ask(message: Asking): ReturnType<Post['ask']> {
    if (message.type === 'act') this.acted.push(message.action as Action);
    if (message.type === 'why-not') {
      this.wondered.push(message.action as Action);
      return { type: 'why', id: '', allowed: false, sentence: 'Because.', detail: null };
    }
    if (message.type === 'preview') {
      const nothing = { sentences: ['It is told.'], points: [0, 0, 0, 0], chance_follows: false };
      return { type: 'previewed', id: '', events: this.foreseen, ...nothing, undo: 'free' };
    }
    return { type: 'ack', id: '', seq: this.room.seq };
  }

  /** Let the table be another in something. */
  change(view: Partial<View>, legal?: Update['position']['legal']): void {
    const position = this.room.position!;
    const next = { ...position, view: { ...(position.view as View), ...view }, legal: legal ?? position.legal };
    this.room.story.set({ ...next, actors: view.turn === undefined ? position.actors : [view.turn!] });
  }

  draw<P extends Props>(part: Component<P>, more?: Omit<P, keyof Props>): HTMLElement {
    return render(part as Component<Props>, { props: { table: this.table, model: this.club, ...more } }).container;
  }
}

/** The first moment at which I am asked in a phase. */
export function asked(phase: string, type?: Action['type']): (view: View, frame: Update) => boolean {
  return (view, { position: { legal } }) =>
    view.phase === phase && legal.length > 0 && (!type || legal.some((offer) => offer.action === type));
}
