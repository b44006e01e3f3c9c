/** The lists of tables on the first page, polled. */
import { api, RequestFailed, ENTRY_REFUSED, type TableCard } from '../net/api';
import { joinedTables } from '../net/joined_tables';
import type { TableInspected } from '../net/wire';

const BETWEEN = 20_000; // ms

export class PolledTableLists {
  mine = $state.raw<TableInspected[]>([]);
  known = $state(false); // whether the server has answered once
  private open = $state.raw<TableCard[]>([]);
  private finished = $state.raw<TableCard[]>([]);

  /** My games that are not over, unless I was shown out. */
  get unfinished(): TableInspected[] {
    return this.mine.filter(({ status, you }) => status !== 'finished' && status !== 'closed' && you.person !== null);
  }
  get over(): TableInspected[] {
    return this.mine.filter(({ status }) => status === 'finished');
  }
  /** Tables of others with a free seat. */
  get waiting(): TableCard[] {
    return this.notMine(this.open).filter(({ free }) => free > 0);
  }
  get replays(): TableCard[] {
    return this.notMine(this.finished);
  }

  /** How many of my games are probably not over: those that were not when they were last looked at. */
  readonly expected = joinedTables.all().filter(({ over }) => !over).length;

  /** Look now, and again as long as the page is seen. */
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
  }

  /** Look at a table of mine; what can't be seen at the moment is as it was. */
  private async lookAt(code: string): Promise<TableInspected | undefined> {
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
