/** Hand-over of a shared device: who holds it, who is next, and whose connection is open. */
import type { LogEntry, Seat } from '$lib/contract';
import { actAs, api } from '../net/api';
import { LiveTable } from '../net/live_table.svelte';
import type { Seated } from '../net/wire';

const NOBODY = 'nobody';
const LATEST = 3; // sentences that are told to the next person

export class Handover {
  device = $state.raw<string[]>([]); // the people whose seats this device has
  own = $state.raw<LiveTable | null>(null); // the line of the person who looks now
  private holder = $state<string | null>(null);
  private last = $state<Seat>(-1); // who looked last
  private readonly left = new Map<string, number>(); // what had happened when somebody last looked

  /** `table` shows what everybody may see; it stays connected all the time. */
  constructor(
    readonly table: LiveTable,
    device: string[],
  ) {
    this.device = device;
    actAs(NOBODY);
  }

  /** Those who play on this device, by their seats. */
  readonly people = $derived.by((): Seated[] => {
    const everybody = this.table.store.table?.people ?? [];
    const mine = everybody.filter((one) => this.device.includes(one.person) && one.seat !== null && !one.left);
    return mine.sort((one, other) => one.seat! - other.seat!);
  });

  /** Those of them whom the table waits for, as far as it has been told; whoever comes after the last goes first. */
  readonly awaited = $derived.by((): Seated[] => {
    const waited = this.waitedFor(this.table);
    const awaited = this.people.filter(({ seat, person }) => waited.includes(seat!) || this.consents(person));
    return [...awaited.filter(({ seat }) => seat! > this.last), ...awaited.filter(({ seat }) => seat! <= this.last)];
  });

  get person(): Seated | null {
    return this.people.find(({ person }) => person === this.holder) ?? null;
  }

  /** Whether the one who looks has nothing to do any more, and has seen what came of it. */
  get finished(): boolean {
    const { own, person } = this;
    if (!own?.table || !person || !own.store.animations.shown || own.store.you.person !== person.person) return false;
    const busy = own.table.animating || own.table.pending > 0 || own.connection.state !== 'open';
    return !busy && !this.waitedFor(own).includes(person.seat!) && !this.consents(person.person);
  }

  /** What has happened for all to see since somebody last looked. */
  since(person: string): LogEntry[] {
    const leftAt = this.left.get(person) ?? 0;
    return this.table.store.log.filter(({ seq, undone }) => seq > leftAt && !undone).slice(-LATEST);
  }

  open({ person, seat }: Seated): void {
    this.close();
    actAs(person);
    [this.holder, this.last] = [person, seat ?? -1];
    this.own = new LiveTable(this.table.code, { person });
  }

  /** Forget everything that only one person may know, at once. */
  close(): void {
    this.own?.end();
    if (this.holder) this.left.set(this.holder, this.table.store.seq);
    [this.own, this.holder] = [null, null];
    actAs(NOBODY);
  }

  /** Find out who plays here, after somebody has sat down on this device or left it. */
  async count(): Promise<void> {
    const { device } = await api.table(this.table.code);
    if (!device || String(device) === String(this.device)) return;
    this.device = device;
    this.table.connection.reconnect();
    this.own?.connection.reconnect();
  }

  end(): void {
    this.close();
    this.table.end();
    actAs(null);
  }

  private waitedFor({ table }: LiveTable): Seat[] {
    if (!table || !table.playing || table.outcome || table.paused) return [];
    return table.ui.awaitedSeats?.(table) ?? table.actors;
  }

  /** Whether somebody is asked to let a move be taken back. */
  private consents(person: string): boolean {
    const undo = this.table.store.table?.undo_asked;
    return !!undo?.needed.includes(person) && ![...undo.agreed, ...undo.refused].includes(person);
  }
}
