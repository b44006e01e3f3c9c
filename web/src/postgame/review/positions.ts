/** Positions of a finished game by seat, fetched once. */
import type { TableUi, Painting, Seat } from '$lib/contract';
import { gameTexts, words, type Texts } from '$lib/i18n.svelte';
import { isPlain } from '../../table_ui';
import { api } from '../../net/api';
import type { TableResponse } from '../../net/wire';
import { Replay } from '../replay.svelte';

interface Fetched {
  views: unknown[];
  paintings: Painting[];
  texts: Texts;
}

export class Positions {
  private readonly fetched = new Map<Seat, Promise<Fetched>>();
  private readonly laid = new Map<string, Promise<Replay>>();

  constructor(
    private readonly info: TableResponse,
    private readonly ui: TableUi,
  ) {}

  /** A read-only table at the position after a step, as a seat saw it. */
  after(step: number, seat: Seat): Promise<Replay> {
    const key = `${seat} ${step}`;
    if (!this.laid.has(key)) this.laid.set(key, this.lay(step, seat));
    return this.laid.get(key)!;
  }

  private async lay(step: number, seat: Seat): Promise<Replay> {
    if (!this.fetched.has(seat)) this.fetched.set(seat, this.fetch(seat));
    const { views, paintings, texts } = await this.fetched.get(seat)!;
    const replay = new Replay(this.info, views, [], this.ui, paintings, seat);
    replay.table.texts = texts;
    replay.show(step);
    return replay;
  }

  private async fetch(seat: Seat): Promise<Fetched> {
    const { table, game } = this.info;
    const [views, paintings, texts] = await Promise.all([
      api.replay(table, undefined, seat),
      isPlain(game) ? api.paintings(table, words.language, seat) : [],
      gameTexts(game, words.language),
    ]);
    return { views, paintings, texts };
  }
}
