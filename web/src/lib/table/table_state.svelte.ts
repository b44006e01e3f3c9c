/** Read-only state of a table: the game as far as it has been animated, people, chat, clock. */
import type { Clock, LogEntry, Outcome, Painting, Seat, ChatEntry } from '../contract';
import { t } from '../i18n.svelte';
import type { TableStore } from './table_store.svelte';

export class TableState {
  private tickedAt = $state(performance.now());
  onScreen = false; // this device is the big screen of a party
  private lastReadChat = $state(''); // id of the last chat message read

  constructor(readonly store: TableStore) {
    this.markChatRead();
  }

  get view(): unknown {
    return this.store.animations.shown?.view;
  }
  get painting(): Painting | null {
    return this.store.animations.shown?.painting ?? null;
  }
  get latestView(): unknown {
    return this.store.position?.view;
  }
  get seats(): number {
    return this.store.table?.seats ?? 0;
  }
  get me(): Seat | null {
    return this.store.you.seat;
  }
  get actors(): Seat[] {
    const actors = this.store.animations.shown?.actors ?? [];
    return actors.filter((actor): actor is Seat => typeof actor === 'number');
  }
  /** Whether it is my turn, also during animations or while my move is pending. */
  get isMyTurn(): boolean {
    return this.playing && !this.outcome && this.me !== null && this.actors.includes(this.me);
  }
  get outcome(): Outcome | null {
    return this.store.animations.shown?.outcome ?? null;
  }
  get decidedBy(): string {
    return this.store.animations.shown?.decided ?? '';
  }
  get paused(): boolean {
    return this.store.table?.paused === 'yes';
  }
  /** Whether I may end a pause: as the host, or as any player once the pause budget is used up. */
  get mayResume(): boolean {
    return this.paused && (this.hosting || (this.store.table?.pause_over === true && this.me !== null));
  }
  get queuedSteps(): number {
    return this.store.animations.queued;
  }
  get playing(): boolean {
    return this.store.table?.status === 'playing';
  }
  get hosting(): boolean {
    return this.store.you.person !== null && this.store.you.person === this.store.table?.host;
  }
  /** How a spectator can get a bot's seat: by taking it, by asking the host, or not at all. */
  get seatOffer(): 'take' | 'ask' | null {
    const { table, you } = this.store;
    if (
      this.store.publicView ||
      !this.playing ||
      this.me !== null ||
      !table?.bots.length ||
      (table.locked && you.person === null)
    )
      return null;
    return table.latecomers || this.hosting ? 'take' : 'ask';
  }
  /** Whether all other players are bots. */
  get onlyHuman(): boolean {
    const playing = this.store.table?.people.filter((one) => one.seat !== null && !one.left) ?? [];
    return this.me !== null && playing.length === 1;
  }
  get party(): boolean {
    return this.store.table?.party ?? false;
  }
  /** How many big screens show this table. */
  get screens(): number {
    return this.store.table?.screens ?? 0;
  }
  get animating(): boolean {
    return this.store.animations.animating;
  }
  get clock(): Clock | null {
    const clock = this.store.clock;
    if (!clock) return null;
    void this.tickedAt; // makes the getter depend on tick(); the value itself is exact
    const gone = clock.running ? Math.max(0, performance.now() - clock.received) / 1000 : 0;
    return { ...clock, left: Math.max(0, clock.left - gone) };
  }
  get chat(): ChatEntry[] {
    return this.store.chat.map((line) => {
      const person = this.store.person(line.person);
      const bot = this.store.table?.bots.find(({ name }) => line.bot && name === line.bot);
      return { ...line, seat: person?.seat ?? bot?.seat ?? null, name: person?.name ?? line.bot ?? '' };
    });
  }

  get log(): LogEntry[] {
    return this.store.log;
  }

  /** Seconds until a bot plays for an absent player; null for others, and if it never will. */
  botIn(seat: Seat): number | null {
    const left = this.store.personAt(seat)?.bot_in;
    return left == null ? null : Math.max(0, left - Math.max(0, this.tickedAt - this.store.tableReceivedAt) / 1000);
  }

  /** The seat that is called “you”, also in a replay; nobody at the end of a game on a shared device. */
  get reader(): Seat | null {
    return this.store.sharedDevice && this.outcome ? null : this.me;
  }
  name(seat: Seat): string {
    return seat === this.reader ? t('you') : this.store.nameOf(seat);
  }
  bot(seat: Seat): string | null {
    return this.store.table?.bots.find((bot) => bot.seat === seat)?.level ?? null;
  }
  isBot(seat: Seat): boolean {
    return this.store.isBot(seat);
  }
  person(seat: Seat): string | null {
    return this.store.personAt(seat)?.person ?? null;
  }

  /** Number of unread chat messages from other people. */
  get unread(): number {
    const { chat, you } = this.store;
    const since = chat.slice(chat.findIndex((line) => line.id === this.lastReadChat) + 1);
    return since.filter((line) => line.person !== you.person && !line.bot).length;
  }

  markChatRead(): void {
    this.lastReadChat = this.store.chat.at(-1)?.id ?? '';
  }

  /** Update everything that depends on the present time. */
  tick(): void {
    this.tickedAt = performance.now();
  }
}
