/** A live table: its connection, its state, and the table UI once the game is known. */
import { gameTexts } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { settings } from '$lib/settings.svelte';
import { Table } from '$lib/table/table.svelte';
import { socketUrl } from '$lib/urls';
import { isPlain, loadTableUi } from '../table_ui';
import { alone, pageServer } from '../page/page_server.svelte';
import { api, RequestFailed, ENTRY_REFUSED } from './api';
import { Connection, type SharedDevice, type Socket } from './connection.svelte';
import { randomHex } from './random_id';

const FINAL = ['unknown-table', ...ENTRY_REFUSED];

export class LiveTable {
  readonly store = new TableStore();
  readonly connection: Connection;
  table = $state.raw<Table | null>(null);
  private painted = false; // whether positions come painted: the plain table UI needs it
  uiMissing = $state(false); // loading the table UI failed: the lobby works, the game can't be shown
  device = $state.raw<string[]>([]); // ids of the people of this table who share this device
  private seedSentFor = '';
  private ended = false;

  /** `screen`: the big screen of a party, which gets the spectators' view whoever has a seat in this browser. */
  constructor(
    readonly code: string,
    readonly shared: SharedDevice | null = null,
    private readonly screen = false,
  ) {
    this.connection = new Connection(
      () => openSocket(code),
      this.store,
      () => settings.language,
      () => this.painted,
      shared,
      screen,
    );
    this.store.publicView = shared?.person === null;
    this.store.sharedDevice = shared !== null;
    this.store.onLogGap = () => void this.readLog();
  }

  /** Connect, unless the server refuses: HTTP is asked first because a refused WebSocket can't give a reason. */
  async open(): Promise<void> {
    if (alone) pageServer.await();
    try {
      const inspected = await api.table(this.code);
      this.painted = isPlain(inspected.game);
      this.device = inspected.device ?? [];
      if (this.behindCurtain) return;
    } catch (error) {
      const final = this.screen ? ['unknown-table'] : FINAL; // the screen of a party may enter a locked table
      if (error instanceof RequestFailed && final.includes(error.refusal.code))
        return this.connection.refuse(error.refusal);
    }
    if (!this.ended) this.connection.start();
  }

  /** Close the connection for good, also if it is still being opened. */
  end(): void {
    this.ended = true;
    this.connection.end();
  }

  /** Let another person join on this device; from now on a curtain hides the hands between turns. */
  async addPlayerHere(name: string, seat: number): Promise<void> {
    await api.join(this.code, { name, seat, beside: true });
    if (this.shared) return;
    this.connection.end();
    await this.open();
  }

  /** Whether several people share this device, so that a curtain must be opened before anybody's view is shown. */
  get behindCurtain(): boolean {
    return !this.shared && this.device.length > 1;
  }

  async readLog(): Promise<void> {
    if (!this.store.position) return;
    const isEnd = this.store.sharedDevice && !!this.store.position.outcome; // everybody around the device reads it
    const forAll = this.screen || this.shared?.person === null || isEnd;
    const requestedSeq = this.store.seq;
    const steps = await (forAll ? api.logForAll : api.log)(this.code, settings.language).catch(() => null);
    if (steps) this.store.setLog(steps, requestedSeq);
  }

  /** Load the table UI of the game; reconnect if it needs positions of another format. */
  async loadUi(game: string, plain: boolean): Promise<void> {
    if (plain !== this.painted) {
      this.painted = plain;
      this.connection.reconnect();
    }
    try {
      const [ui, texts] = await Promise.all([loadTableUi(game), gameTexts(game, settings.language)]);
      const table = new Table(this.store, this.connection, ui);
      table.texts = texts;
      table.onScreen = this.screen;
      this.table = table;
    } catch {
      this.uiMissing = true;
    }
  }

  /** Contribute my seed to the game's randomness, once per commitment. */
  async addSeed(): Promise<void> {
    const commitment = this.store.table?.commitment ?? '';
    if (this.seedSentFor === commitment) return;
    this.seedSentFor = commitment;
    await this.connection.request({ type: 'seed', seed: randomHex(32) });
  }
}

function openSocket(code: string): Socket {
  if (alone) return pageServer.connect(code);
  return new WebSocket(socketUrl(['tables', code, 'socket']));
}
