/** Read-only state of a table: the game as far as it has been animated, people, chat, clock. */
import type { Clock, LogEntry, Outcome, Painting, Seat, Talk } from '../contract';
import { t } from '../i18n.svelte';
import type { Room } from './table_store.svelte';

export class Seen {
  private now = $state(performance.now());
  onScreen = false; // this device is the big screen of a party
  private read = $state(''); // the last line of talk that was read

  constructor(readonly room: Room) {
    this.readTalk();
  }

  get view(): unknown {
    return this.room.story.shown?.view;
  }
  get painting(): Painting | null {
    return this.room.story.shown?.painting ?? null;
  }
  get newest(): unknown {
    return this.room.position?.view;
  }
  get seats(): number {
    return this.room.seen?.seats ?? 0;
  }
  get me(): Seat | null {
    return this.room.you.seat;
  }
  get actors(): Seat[] {
    const actors = this.room.story.shown?.actors ?? [];
    return actors.filter((actor): actor is Seat => typeof actor === 'number');
  }
  /** Whether it is my turn, also while a story is told or my move is on its way. */
  get mine(): boolean {
    return this.playing && !this.outcome && this.me !== null && this.actors.includes(this.me);
  }
  get outcome(): Outcome | null {
    return this.room.story.shown?.outcome ?? null;
  }
  get decided(): string {
    return this.room.story.shown?.decided ?? '';
  }
  get paused(): boolean {
    return this.room.seen?.paused === 'yes';
  }
  /** Whether I may end a pause: as the host, or as any player once the time for pauses is used up. */
  get mayResume(): boolean {
    return this.paused && (this.hosting || (this.room.seen?.pause_over === true && this.me !== null));
  }
  get waiting(): number {
    return this.room.story.left;
  }
  get playing(): boolean {
    return this.room.seen?.status === 'playing';
  }
  get hosting(): boolean {
    return this.room.you.person !== null && this.room.you.person === this.room.seen?.host;
  }
  /** How somebody who watches could come to a bot's seat: by taking it, or by asking the host. */
  get seatOffer(): 'take' | 'ask' | null {
    const { seen, you } = this.room;
    if (
      this.room.shared ||
      !this.playing ||
      this.me !== null ||
      !seen?.bots.length ||
      (seen.locked && you.person === null)
    )
      return null;
    return seen.latecomers || this.hosting ? 'take' : 'ask';
  }
  /** Whether bots alone play with me. */
  get alone(): boolean {
    const playing = this.room.seen?.people.filter((one) => one.seat !== null && !one.left) ?? [];
    return this.me !== null && playing.length === 1;
  }
  get party(): boolean {
    return this.room.seen?.party ?? false;
  }
  /** How many big screens show this table. */
  get screens(): number {
    return this.room.seen?.screens ?? 0;
  }
  get telling(): boolean {
    return this.room.story.telling;
  }
  get clock(): Clock | null {
    const clock = this.room.clock;
    if (!clock) return null;
    void this.now; // it is read anew with every tick, and exact whenever it is read
    const gone = clock.running ? Math.max(0, performance.now() - clock.heard) / 1000 : 0;
    return { ...clock, left: Math.max(0, clock.left - gone) };
  }
  get talk(): Talk[] {
    return this.room.lines.map((line) => {
      const person = this.room.person(line.person);
      const bot = this.room.seen?.bots.find(({ name }) => line.bot && name === line.bot);
      return { ...line, seat: person?.seat ?? bot?.seat ?? null, name: person?.name ?? line.bot ?? '' };
    });
  }

  get log(): LogEntry[] {
    return this.room.log;
  }

  /** Seconds until a bot plays for somebody who is away; null for others, and where it never will. */
  botIn(seat: Seat): number | null {
    const left = this.room.at(seat)?.bot_in;
    return left == null ? null : Math.max(0, left - Math.max(0, this.now - this.room.met) / 1000);
  }

  /** The seat that is called “you”; in a replay also, though nobody plays there. The end is read by all around a device. */
  get reader(): Seat | null {
    return this.room.around && this.outcome ? null : this.me;
  }
  name(seat: Seat): string {
    return seat === this.reader ? t('you') : this.room.nameOf(seat);
  }
  bot(seat: Seat): string | null {
    return this.room.seen?.bots.find((bot) => bot.seat === seat)?.level ?? null;
  }
  isBot(seat: Seat): boolean {
    return this.room.isBot(seat);
  }
  person(seat: Seat): string | null {
    return this.room.at(seat)?.person ?? null;
  }

  /** Lines of others since I last looked. */
  get unread(): number {
    const { lines, you } = this.room;
    const since = lines.slice(lines.findIndex((line) => line.id === this.read) + 1);
    return since.filter((line) => line.person !== you.person && !line.bot).length;
  }

  readTalk(): void {
    this.read = this.room.lines.at(-1)?.id ?? '';
  }

  /** Let the clock be read anew. */
  tick(): void {
    this.now = performance.now();
  }
}
