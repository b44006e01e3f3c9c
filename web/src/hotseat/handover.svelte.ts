/** Hand-over of a shared device: who holds it, who is next, and whose connection is open. */
import type { LogEntry, Seat } from '$lib/contract';
import { actAs, api } from '../net/api';
import { LiveTable } from '../net/live_table.svelte';
import type { PersonInfo } from '../net/wire';

const NOBODY = 'nobody';
const LATEST = 3; // log sentences shown to the next person

export class Handover {
  device = $state.raw<string[]>([]); // people of this device
  own = $state.raw<LiveTable | null>(null); // connection of the person whose view is open
  private holder = $state<string | null>(null);
  private last = $state<Seat>(-1); // the last person
  private readonly left = new Map<string, number>(); // sequence number when each person last looked

  /** `table` is the public view; it stays connected. */
  constructor(
    readonly table: LiveTable,
    device: string[],
  ) {
    this.device = device;
    actAs(NOBODY);
  }

  /** Players on this device, by seat. */
  readonly people = $derived.by((): PersonInfo[] => {
    const everybody = this.table.store.table?.people ?? [];
    const mine = everybody.filter((one) => this.device.includes(one.person) && one.seat !== null && !one.left);
    return mine.sort((one, other) => one.seat! - other.seat!);
  });

  /** Awaited players on this device after the animations so far, starting after the last one. */
  readonly awaited = $derived.by((): PersonInfo[] => {
    const waited = this.waitedFor(this.table);
    const awaited = this.people.filter(({ seat, person }) => waited.includes(seat!) || this.consents(person));
    return [...awaited.filter(({ seat }) => seat! > this.last), ...awaited.filter(({ seat }) => seat! <= this.last)];
  });

  get person(): PersonInfo | null {
    return this.people.find(({ person }) => person === this.holder) ?? null;
  }

  /** Whether the current person has finished and seen the result. */
  get finished(): boolean {
    const { own, person } = this;
    if (!own?.table || !person || !own.store.animations.shown || own.store.you.person !== person.person) return false;
    const busy = own.table.animating || own.table.pending > 0 || own.connection.state !== 'open';
    return !busy && !this.waitedFor(own).includes(person.seat!) && !this.consents(person.person);
  }

  /** Public log sentences since a person last looked. */
  since(person: string): LogEntry[] {
    const leftAt = this.left.get(person) ?? 0;
    return this.table.store.log.filter(({ seq, undone }) => seq > leftAt && !undone).slice(-LATEST);
  }

  open({ person, seat }: PersonInfo): void {
    this.close();
    actAs(person);
    [this.holder, this.last] = [person, seat ?? -1];
    this.own = new LiveTable(this.table.code, { person });
  }

  /** Drop everything that only one person may know. */
  close(): void {
    this.own?.end();
    if (this.holder) this.left.set(this.holder, this.table.store.seq);
    [this.own, this.holder] = [null, null];
    actAs(NOBODY);
  }

  /** Update the people of this device. */
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

  /** Whether a person has to answer an undo request. */
  private consents(person: string): boolean {
    const undo = this.table.store.table?.undo_asked;
    return !!undo?.needed.includes(person) && ![...undo.agreed, ...undo.refused].includes(person);
  }
}
