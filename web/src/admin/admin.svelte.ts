/** The admin view of a server. The admin token lives in memory only. */
import type * as Wire from '$types/wire';
import { apiUrl, request, type Part } from '$lib/urls';
import { RequestFailed } from '../net/api';
import type { Refusal } from '../net/wire';

/** Read a refusal; that there is nothing here means that the token is wrong. */
function refusalIn(text: string): Refusal {
  const refusal = JSON.parse(text || '{"code": "broken", "sentence": ""}') as Refusal;
  return refusal.code === 'not-found' ? { code: 'admin-token', sentence: '' } : refusal;
}

export class Admin {
  load = $state.raw<Wire.Load | null>(null);
  tables = $state.raw<Wire.AdminTable[]>([]);
  bans = $state.raw<Wire.BannedAddress[]>([]);

  constructor(private token: string) {}

  /** Fetch load, tables and bans again. */
  async refresh(): Promise<void> {
    const [load, tables, bans] = await Promise.all([
      this.ask<Wire.Load>(['load']),
      this.ask<Wire.AdminTable[]>(['tables']),
      this.ask<Wire.BannedAddress[]>(['bans']),
    ]);
    this.load = load;
    this.tables = tables;
    this.bans = bans;
  }

  close = (table: string, reason: string): Promise<void> => this.change(['tables', table, 'close'], { reason });
  ban = (address: string, days: number, note: string): Promise<void> => this.change(['bans'], { address, days, note });
  lift = (address: string): Promise<void> => this.change(['bans', 'lift'], { address });

  private async change(path: readonly Part[], body: unknown): Promise<void> {
    await this.ask(path, body);
    await this.refresh();
  }

  private async ask<T>(path: readonly Part[], body?: unknown): Promise<T> {
    const headers: HeadersInit = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const how = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await request(apiUrl(['admin', ...path]), how).catch(() => {
      throw new RequestFailed({ code: 'offline', sentence: '' });
    });
    const text = await answer.text();
    if (!answer.ok) throw new RequestFailed(refusalIn(text));
    return (text ? JSON.parse(text) : undefined) as T;
  }
}
