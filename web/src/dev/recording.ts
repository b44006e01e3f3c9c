/** A recorded game in place of a server: every move of the viewer plays the recording on. */
import { own } from '$lib/own_property';
import { seatOf, type Room } from '$lib/table/table_store.svelte';
import type { LogStep } from '../net/api';
import { heardFrom } from '../net/legal_actions';
import type { Answer, Asking, News, Post, Update } from '../net/wire';

const FIXTURES = import.meta.glob<string>('../../fixtures/*.json', { query: '?url', import: 'default' });

export class Recording implements Post {
  readonly state = 'open';
  readonly restarting = false;
  private place = 0;

  constructor(
    private readonly frames: News[],
    private readonly room: Room,
    step: number,
  ) {
    const log: LogStep[] = [];
    while (this.place < frames.length && log.length <= step) {
      const frame = frames[this.place++]!;
      if (frame.type !== 'update') room.hear(frame);
      else {
        room.hear({ ...frame, events: [] });
        const lines = (frame.sentences ?? []).map((text, at) => ({ text, event: frame.events[at]! }));
        log.push({
          ...{ seq: frame.seq, step: log.length, actor: seatOf(frame.events[0]) ?? 'clock', undone: false },
          sentences: lines.map(({ text }) => text),
          events: lines.map(({ event }) => event as Record<string, unknown>),
        });
      }
    }
    room.readLog(log);
  }

  restart(): void {}

  async ask(message: Asking): Promise<Answer> {
    if (message.type === 'act') this.playOn();
    if (message.type === 'preview') return { type: 'preview', id: '', ...this.foreseen() };
    const sentence = 'In a recording nobody knows why not.';
    if (message.type === 'why-not') return { type: 'why-not', id: '', allowed: false, sentence, detail: null };
    if (message.type === 'say') this.echo(message.text, message.to);
    return { type: 'ack', id: '', seq: this.room.seq };
  }

  /** Play the next step, and on until the viewer is asked again. */
  private playOn(): void {
    while (this.place < this.frames.length) {
      const frame = this.frames[this.place++]!;
      this.room.hear(frame);
      if (frame.type === 'update' && frame.position.legal.length) return;
    }
  }

  private foreseen(): Omit<Extract<Answer, { type: 'preview' }>, 'type' | 'id'> {
    const next = this.frames.slice(this.place).find((frame): frame is Update => frame.type === 'update');
    const points = Array.from({ length: this.room.seen?.seats ?? 0 }, () => 0);
    const sentences = next?.sentences ?? [];
    return { events: next?.events ?? [], sentences, points, chance_follows: false, undo: 'free' };
  }

  private echo(text: string, to: string | null): void {
    const audience = to ? 'whisper' : 'all';
    const id = `${this.room.lines.length}`;
    this.room.hear({
      type: 'chat',
      message: { id, person: this.room.you.person ?? '', text, audience, to, phrase: '', bot: '' },
    });
  }
}

/** The recorded games, by name. */
export const recorded = Object.keys(FIXTURES).map((path) => /([^/]+)\.json$/.exec(path)![1]!);

export async function fixture(name: string): Promise<News[]> {
  const address = await own(FIXTURES, `../../fixtures/${name}.json`)?.();
  if (!address) throw new Error(`no fixture ${name}`);
  const frames = (await (await fetch(address)).json()) as (News | Answer)[];
  return heardFrom(frames).filter(
    (frame): frame is News => !['ack', 'error', 'pong', 'preview', 'hint', 'why-not'].includes(frame.type),
  );
}
