/** A recorded game in place of a server: each move of the viewer advances the recording. */
import { own } from '$lib/own_property';
import { seatOf, type TableStore } from '$lib/table/table_store.svelte';
import type { LogStep } from '../net/api';
import { decodeRecording } from '../net/legal_actions';
import type { Answer, TableRequest, TableFrame, Transport, Update } from '../net/wire';

const FIXTURES = import.meta.glob<string>('../../fixtures/*.json', { query: '?url', import: 'default' });

export class Recording implements Transport {
  readonly state = 'open';
  readonly restarting = false;
  private nextFrame = 0;

  constructor(
    private readonly frames: TableFrame[],
    private readonly store: TableStore,
    step: number,
  ) {
    const log: LogStep[] = [];
    while (this.nextFrame < frames.length && log.length <= step) {
      const frame = frames[this.nextFrame++]!;
      if (frame.type !== 'update') store.receive(frame);
      else {
        store.receive({ ...frame, events: [] });
        const lines = (frame.sentences ?? []).map((text, at) => ({ text, event: frame.events[at]! }));
        log.push({
          seq: frame.seq,
          step: log.length,
          actor: seatOf(frame.events[0]) ?? 'clock',
          undone: false,
          sentences: lines.map(({ text }) => text),
          events: lines.map(({ event }) => event as Record<string, unknown>),
        });
      }
    }
    store.setLog(log);
  }

  reconnect(): void {}

  async request(message: TableRequest): Promise<Answer> {
    if (message.type === 'act') this.playOn();
    if (message.type === 'preview') return { type: 'preview', id: '', ...this.foreseen() };
    const sentence = 'In a recording nobody knows why not.';
    if (message.type === 'why-not') return { type: 'why-not', id: '', allowed: false, sentence, detail: null };
    if (message.type === 'say') this.echo(message.text, message.to);
    return { type: 'ack', id: '', seq: this.store.seq };
  }

  /** Play the next step, and on until the viewer is asked again. */
  private playOn(): void {
    while (this.nextFrame < this.frames.length) {
      const frame = this.frames[this.nextFrame++]!;
      this.store.receive(frame);
      if (frame.type === 'update' && frame.position.legal.length) return;
    }
  }

  private foreseen(): Omit<Extract<Answer, { type: 'preview' }>, 'type' | 'id'> {
    const next = this.frames.slice(this.nextFrame).find((frame): frame is Update => frame.type === 'update');
    const points = Array.from({ length: this.store.table?.seats ?? 0 }, () => 0);
    const sentences = next?.sentences ?? [];
    return { events: next?.events ?? [], sentences, points, chance_follows: false, undo: 'free' };
  }

  private echo(text: string, to: string | null = null): void {
    const audience = to ? 'whisper' : 'all';
    const id = `${this.store.chat.length}`;
    this.store.receive({
      type: 'chat',
      message: { id, person: this.store.you.person ?? '', text, audience, to, phrase: '', bot: '' },
    });
  }
}

/** The recorded games, by name. */
export const recorded = Object.keys(FIXTURES).map((path) => /([^/]+)\.json$/.exec(path)![1]!);

export async function fixture(name: string): Promise<TableFrame[]> {
  const address = await own(FIXTURES, `../../fixtures/${name}.json`)?.();
  if (!address) throw new Error(`no fixture ${name}`);
  const frames = (await (await fetch(address)).json()) as (TableFrame | Answer)[];
  return decodeRecording(frames).filter(
    (frame): frame is TableFrame => !['ack', 'error', 'pong', 'preview', 'hint', 'why-not'].includes(frame.type),
  );
}
