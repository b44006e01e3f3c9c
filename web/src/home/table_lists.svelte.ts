/** The lists of tables on the first page, polled. */
import { api, RequestFailed, ENTRY_REFUSED, type TableCard } from '../net/api';
import { server } from '../app/server_status.svelte';
import { places } from '../learn/lesson_tables';
import { joinedTables } from '../net/joined_tables';
import type { LessonInfo } from '$types/wire';
import type { CourseKind, TableResponse } from '../net/wire';

const BETWEEN = 20_000; // ms

export class PolledTableLists {
  mine = $state.raw<TableResponse[]>([]);
  known = $state(false); // whether the lists have loaded
  loadedAt = $state<Date | null>(null); // when my games were last loaded from the server
  private open = $state.raw<TableCard[]>([]);
  private finished = $state.raw<TableCard[]>([]);

  /** My unfinished games, except those I was removed from. */
  get unfinished(): TableResponse[] {
    return this.mine.filter(({ status, you }) => status !== 'finished' && status !== 'closed' && you.person !== null);
  }
  get over(): TableResponse[] {
    return this.mine.filter(({ status }) => status === 'finished');
  }
  /** Other people's tables with a free seat. */
  get waiting(): TableCard[] {
    return this.notMine(this.open).filter(({ free }) => free > 0);
  }
  get replays(): TableCard[] {
    return this.notMine(this.finished);
  }

  /** Where each game's courses stand, as far as this browser began them. */
  courses = $state.raw<Record<string, Partial<Record<CourseKind, LessonInfo>>>>({});

  /** Load the progress of the courses that this browser began; what can't be loaded stays as it was. */
  async loadCourses(games: string[]): Promise<void> {
    const begun = games.flatMap((game) => [places.of(game) || [], places.of(game, 'strategy') || []].flat());
    const tables = await Promise.all(begun.map((code) => api.table(code).catch(() => null)));
    const known = { ...this.courses };
    for (const table of tables)
      if (table?.lesson) known[table.game] = { ...known[table.game], [table.lesson.course]: table.lesson };
    this.courses = known;
  }

  /** Number of my games that were unfinished last time. */
  readonly expected = joinedTables.all().filter(({ over }) => !over).length;

  /** Load now, and poll while the page is visible. */
  watch(): () => void {
    void this.load();
    const timer = setInterval(() => document.hidden || void this.load(), BETWEEN);
    return () => clearInterval(timer);
  }

  async load(): Promise<void> {
    const none = (): null => null;
    const [mine, open, finished] = await Promise.all([
      Promise.all(joinedTables.all().map(({ code }) => this.lookAt(code))),
      api.tables('gathering').catch(none),
      api.tables('finished').catch(none),
    ]);
    this.mine = mine.flatMap((table) => table ?? []);
    for (const table of this.mine) joinedTables.note(table.table, !this.unfinished.includes(table));
    this.open = open ?? this.open;
    this.finished = finished ?? this.finished;
    this.known ||= open !== null;
    if (open !== null && !server.away) this.loadedAt = new Date();
  }

  /** Load one of my tables; on an error keep the last state. */
  private async lookAt(code: string): Promise<TableResponse | undefined> {
    try {
      return await api.table(code);
    } catch (error) {
      const why = error instanceof RequestFailed ? error.refusal.code : '';
      if (why === 'unknown-table') joinedTables.forget(code);
      return ['unknown-table', ...ENTRY_REFUSED].includes(why)
        ? undefined
        : this.mine.find(({ table }) => table === code);
    }
  }

  private notMine(cards: TableCard[]): TableCard[] {
    return cards.filter((card) => !this.mine.some(({ table }) => table === card.table));
  }
}
