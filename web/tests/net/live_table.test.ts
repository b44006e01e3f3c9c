import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { errorText } from '$lib/table/refusals';
import { PolledTableLists } from '../../src/home/table_lists.svelte';
import { actAs, api, RequestFailed, ENTRY_REFUSED } from '../../src/net/api';
import { LiveTable } from '../../src/net/live_table.svelte';
import { joinedTables } from '../../src/net/joined_tables';
import type { Position, TableResponse } from '../../src/net/wire';

const refuse = (code: string): unknown =>
  vi.spyOn(api, 'table').mockRejectedValue(new RequestFailed({ code, sentence: 'From the server.' }));

beforeEach(() => words.load('en'));
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('a table that refuses entry', () => {
  test.each(ENTRY_REFUSED)('shows the reason at once: %s', async (code) => {
    const dial = vi.spyOn(globalThis, 'WebSocket');
    refuse(code);
    const { connection, open } = live();
    await open();
    expect([connection.state, connection.refusal?.code]).toEqual(['refused', code]);
    expect(errorText(connection.refusal!)).not.toBe('From the server.');
    expect(dial).not.toHaveBeenCalled();
  });

  test.each(ENTRY_REFUSED)('is not listed among my games: %s', async (code) => {
    vi.spyOn(api, 'tables').mockResolvedValue([]);
    joinedTables.remember('shut', 'bebop');
    const going = new PolledTableLists();
    going.mine = [{ table: 'shut', status: 'playing', you: { person: 'p1', seat: 0 } } as unknown as TableResponse];
    refuse(code);
    await going.load();
    expect(going.unfinished).toEqual([]);
    expect(joinedTables.all().map((one) => one.code)).toEqual(['shut']);
  });
});

describe('the public connection of a shared device', () => {
  afterEach(() => actAs(null));

  test('reads the log as nobody, also while a person’s view is open', async () => {
    const told = (sentence: string): Response =>
      Response.json([{ seq: 1, step: null, actor: 1, sentences: [sentence], events: [null], undone: false }]);
    vi.spyOn(globalThis, 'fetch').mockImplementation((_, asked) => {
      const looks = asked?.credentials !== 'omit' && new Headers(asked?.headers).get('Jamboree-As') === 'p2';
      return Promise.resolve(told(looks ? 'Timo cues Night Bus.' : 'Timo has cued a song.'));
    });
    const all = new LiveTable('abcdef', { person: null });
    all.store.position = {} as Position;
    actAs('p2');
    all.store.onLogGap();
    await vi.waitFor(() => expect(all.store.log.map(({ text }) => text)).toEqual(['Timo has cued a song.']));
  });
});

function live(): { connection: LiveTable['connection']; open: () => Promise<void> } {
  const table = new LiveTable('shut');
  return { connection: table.connection, open: () => table.open() };
}
