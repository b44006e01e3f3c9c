import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { server } from '../../src/app/server_status.svelte';
import { PolledTableLists } from '../../src/home/table_lists.svelte';
import { api, RequestFailed } from '../../src/net/api';
import { joinedTables } from '../../src/net/joined_tables';
import type { TableResponse } from '../../src/net/wire';

const table = (code: string, status: string, person: string | null = 'p1'): TableResponse =>
  ({ table: code, status, you: { person, seat: 0 } }) as unknown as TableResponse;
const card = (code: string, free = 1): object => ({ table: code, free });

let going: PolledTableLists;

function answer(tables: TableResponse[]): void {
  vi.spyOn(api, 'table').mockImplementation((code) => {
    const found = tables.find((one) => one.table === code);
    return found ? Promise.resolve(found) : Promise.reject(new RequestFailed({ code: 'unknown-table', sentence: '' }));
  });
}

beforeEach(() => {
  going = new PolledTableLists();
  for (const code of ['lost', 'done', 'out', 'going']) joinedTables.remember(code, 'bebop');
  answer([table('going', 'playing'), table('out', 'playing', null), table('done', 'finished')]);
  vi.spyOn(api, 'tables').mockResolvedValue([card('going'), card('other'), card('full', 0)] as never);
});
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('the lists of tables', () => {
  test('separate my tables, finished ones and open ones', async () => {
    await going.load();
    expect(going.unfinished.map((one) => one.table)).toEqual(['going']);
    expect(going.over.map((one) => one.table)).toEqual(['done']);
    expect(going.waiting.map((one) => one.table)).toEqual(['other']);
  });

  test('drop a deleted table', async () => {
    await going.load();
    expect(joinedTables.all().map(({ code }) => code)).not.toContain('lost');
  });

  test('stay unchanged while the server is unreachable, and say of when they are', async () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 19, 15, 20) });
    await going.load();
    vi.setSystemTime(new Date(2026, 10, 19, 15, 40));
    const offline = new RequestFailed({ code: 'offline', sentence: '' });
    vi.spyOn(api, 'table').mockRejectedValue(offline);
    vi.spyOn(api, 'tables').mockRejectedValue(offline);
    await going.load();
    expect(going.unfinished.map((one) => one.table)).toEqual(['going']);
    expect(going.waiting.map((one) => one.table)).toEqual(['other']);
    expect(going.loadedAt).toEqual(new Date(2026, 10, 19, 15, 20));
    vi.useRealTimers();
  });

  test('that come from the cache do not count as new', async () => {
    server.away = true;
    await going.load();
    expect(going.loadedAt).toBeNull();
    server.away = false;
  });
});
