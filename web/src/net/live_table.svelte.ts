/** A live table: its connection, its state, and the game's UI plugin once the game is known. */
import { gameTexts } from '$lib/i18n.svelte';
import { Room } from '$lib/table/table_store.svelte';
import { settings } from '$lib/settings.svelte';
import { Table } from '$lib/table/table.svelte';
import { socketUrl } from '$lib/urls';
import { isPlain, loadTableUi } from '../table_ui';
import { api, Failed, SHUT } from './api';
import { Connection, type Shared, type Socket } from './connection.svelte';
import { hex } from './random_id';

const FINAL = ['unknown-table', ...SHUT];

export class Live {
  readonly room = new Room();
  readonly line: Connection;
  table = $state.raw<Table | null>(null);
  private painted = false; // whether positions come painted: the plain table UI needs it
  uiMissing = $state(false); // this game can't be shown here: its table can be set, not played at
  device = $state.raw<string[]>([]); // everybody of this table who plays on this device
  private seeded = '';
  private over = false;

  /** `screen`: a big one, which is shown what spectators are shown, whoever has a seat in this browser. */
  constructor(
    readonly code: string,
    readonly shared: Shared | null = null,
    private readonly screen = false,
  ) {
    this.line = new Connection(
      () => dial(code),
      this.room,
      () => settings.language,
      () => this.painted,
      shared,
      screen,
    );
    this.room.shared = shared?.person === null;
    this.room.around = shared !== null;
    this.room.onGap = () => void this.readLog();
  }

  /** Go to the table, unless the server says that there is none for me: a socket that is refused can't say why. */
  async open(): Promise<void> {
    try {
      const looked = await api.table(this.code);
      this.painted = isPlain(looked.game);
      this.device = looked.device ?? [];
      if (this.behindCurtain) return;
    } catch (error) {
      const final = this.screen ? ['unknown-table'] : FINAL; // the screen of a party is let in behind a locked door, too
      if (error instanceof Failed && final.includes(error.refusal.code)) return this.line.refuse(error.refusal);
    }
    if (!this.over) this.line.start();
  }

  /** Hang up for good: nothing more is heard, also if we were only on our way. */
  end(): void {
    this.over = true;
    this.line.end();
  }

  /** Let somebody else sit down on this device: from now on a curtain hangs before its people. */
  async addHere(name: string, seat: number): Promise<void> {
    await api.join(this.code, { name, seat, beside: true });
    if (this.shared) return;
    this.line.end();
    await this.open();
  }

  /** Whether several people share this device, so that nobody comes to the table before a curtain is opened. */
  get behindCurtain(): boolean {
    return !this.shared && this.device.length > 1;
  }

  async readLog(): Promise<void> {
    if (!this.room.position) return;
    const isEnd = this.room.around && !!this.room.position.outcome; // everybody around the device reads it
    const forAll = this.screen || this.shared?.person === null || isEnd;
    const asked = this.room.seq;
    const steps = await (forAll ? api.logForAll : api.log)(this.code, settings.language).catch(() => null);
    if (steps) this.room.readLog(steps, asked);
  }

  /** Load the table UI of the game; reconnect if it needs positions of another format. */
  async lay(game: string, plain: boolean): Promise<void> {
    if (plain !== this.painted) {
      this.painted = plain;
      this.line.restart();
    }
    try {
      const [ui, texts] = await Promise.all([loadTableUi(game), gameTexts(game, settings.language)]);
      const table = new Table(this.room, this.line, ui);
      table.texts = texts;
      table.onScreen = this.screen;
      this.table = table;
    } catch {
      this.uiMissing = true;
    }
  }

  /** Put my part of the luck in: once for every game that asks for it. */
  async addSeed(): Promise<void> {
    const commitment = this.room.seen?.commitment ?? '';
    if (this.seeded === commitment) return;
    this.seeded = commitment;
    await this.line.ask({ type: 'seed', seed: hex(32) });
  }
}

function dial(code: string): Socket {
  return new WebSocket(socketUrl(['tables', code, 'socket']));
}
