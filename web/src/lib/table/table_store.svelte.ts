/** Client-side store of a table: people, position, chat and log, built from the frames received. */
import type { LogStep } from '../../net/api';
import type {
  ChatMessage,
  TableFrame,
  Position,
  PersonInfo,
  StepInfo,
  TableInfo,
  UndoInfo,
  Welcome,
  You,
} from '../../net/wire';
import type { Clock, LogEntry, Seat, Tagged } from '../contract';
import { setAvatars } from '../avatars.svelte';
import { AnimationQueue } from './animation_queue.svelte';

const CHAT_LIMIT = 200; // chat messages kept

export class TableStore {
  seq = $state(0);
  table = $state.raw<TableInfo | null>(null);
  you = $state.raw<You>({ person: null, seat: null });
  position = $state.raw<Position | null>(null); // the newest position, perhaps ahead of the animations
  chat = $state.raw<ChatMessage[]>([]);
  log = $state.raw<LogEntry[]>([]);
  clock = $state.raw<(Clock & { received: number }) | null>(null);
  undo = $state.raw<UndoInfo | null>(null);
  publicView = false; // this connection shows what everybody may see, for several people around one device
  sharedDevice = false; // several people share this device
  tableReceivedAt = 0; // when the table's state was last received
  nudgedBy = $state(''); // the person who asked whether I am still there, until I act
  standInMoves = $state<number | null>(null); // number of moves a bot made for me, until I have dismissed the message
  requestedSeat = $state<Seat | null>(null); // the seat I asked the host for, until I have dismissed the answer
  readonly animations = new AnimationQueue<Position>();
  onAnimated: (event: Tagged) => void = () => undefined; // called after each event's animation
  onLogGap: () => void = () => undefined; // steps were missed: the log has to be fetched again

  receive(frame: TableFrame): void {
    if (frame.type === 'welcome') this.onWelcome(frame);
    else if (frame.type === 'update') this.onStep(frame, frame.position, frame.clock, frame.undo, frame.due ?? null);
    else if (frame.type === 'table') {
      const lesson = this.table?.lesson?.lesson;
      this.seq = frame.seq;
      this.setTable({ ...this.table!, ...frame.table });
      if (frame.table.lesson?.lesson !== lesson) this.onLogGap(); // the next lesson has a log of its own
    } else if (frame.type === 'clock') this.setClock(frame.clock);
    else if (frame.type === 'nudge') this.nudgedBy = frame.person;
    else if (frame.type === 'chat') this.chat = [...this.chat, frame.message].slice(-CHAT_LIMIT);
  }

  person(id: string): PersonInfo | undefined {
    return this.table?.people.find((person) => person.person === id);
  }

  personAt(seat: Seat): PersonInfo | undefined {
    return this.table?.people.find((person) => person.seat === seat);
  }

  isBot(seat: Seat): boolean {
    return !!this.table?.bots.some((bot) => bot.seat === seat) || !!this.personAt(seat)?.bot_plays;
  }

  nameOf(seat: Seat): string {
    return this.personAt(seat)?.name ?? this.table?.bots.find((bot) => bot.seat === seat)?.name ?? '';
  }

  /** Replace the log with the server's; entries received after `asked` stay. */
  setLog(steps: LogStep[], asked = 0): void {
    const last = Math.max(steps.at(-1)?.seq ?? 0, asked);
    const entries = steps.flatMap((step) =>
      step.sentences.map((text, index) => {
        const event = step.events[index] as Tagged | null;
        const seat = event ? seatOf(event) : (step.actor as Seat);
        return { seq: step.seq, index, seat, text, undone: step.undone, ...(event && { event }) };
      }),
    );
    this.log = [...entries, ...this.log.filter((line) => line.seq > last)];
  }

  /** Store the table's state; if a bot has just returned my seat, note that. */
  private setTable(table: TableInfo): void {
    const me = this.you.person ?? '';
    const hadStandIn = this.person(me)?.bot_plays;
    [this.table, this.tableReceivedAt] = [table, performance.now()];
    setAvatars(table.avatars);
    if (hadStandIn && !this.person(me)?.bot_plays) this.standInMoves ??= 0;
    this.requestedSeat = this.person(me)?.wants_seat ?? this.requestedSeat;
  }

  private onWelcome(news: Welcome): void {
    const known = this.seq > 0 && this.animations.shown !== null;
    [this.you, this.chat] = [news.you, news.chat];
    this.setTable(news.table);
    if (news.bot_moves) this.standInMoves = news.bot_moves;
    if (known && news.missed?.length && news.position) this.catchUp(news, news.missed, news.position);
    else this.replaceAll(news, known);
    this.seq = news.seq;
  }

  private replaceAll(news: Welcome, known: boolean): void {
    this.position = news.position;
    this.animations.set(news.position);
    this.setClock(news.clock);
    this.undo = news.undo;
    if (!known || news.seq !== this.seq) this.onLogGap();
  }

  /** Animate the steps missed during a disconnection as one step, so that none is skipped or shown twice. */
  private catchUp(news: Welcome, missed: StepInfo[], position: Position): void {
    const events = missed.flatMap((step) => step.events);
    const entries = missed.flatMap((step) => step.events.map((_, index) => [step, index] as const));
    this.position = position;
    this.setClock(news.clock);
    this.undo = news.undo;
    this.animations.add({ events, position, onEvent: (index) => this.logEvent(...entries[index]!) });
  }

  private onStep(
    step: StepInfo,
    position: Position,
    clock: Clock | null,
    undo: UndoInfo | null,
    due: number | null,
  ): void {
    this.seq = step.seq;
    this.position = position;
    this.setClock(clock);
    this.undo = undo;
    this.animations.add({ events: step.events, position, due, onEvent: (index) => this.logEvent(step, index) });
  }

  /** Append an event of a step to the log; a note that a bot stood in precedes the first event, as in the server's log. */
  private logEvent(step: StepInfo, event: number): void {
    const { seq, note } = step;
    if (note && event === 0) this.appendToLog({ seq, index: 0, seat: note.seat, text: note.sentence, undone: false });
    const index = note ? event + 1 : event;
    const [text, what] = [step.sentences[event] ?? '', step.events[event] as Tagged];
    this.appendToLog({ seq, index, seat: seatOf(what), text, undone: false, event: what });
    this.onAnimated(what);
  }

  private appendToLog(entry: LogEntry): void {
    const written = this.log.some((one) => one.seq === entry.seq && one.index === entry.index); // already there if the log was fetched meanwhile
    if (entry.text && !written) this.log = [...this.log, entry];
  }

  private setClock(clock: Clock | null): void {
    this.clock = clock ? { ...clock, received: performance.now() } : null;
  }
}

/** The seat an event is about, for the mark before its sentence. */
export function seatOf(event: Tagged | undefined): Seat | null {
  const seat = (event as { seat?: unknown } | undefined)?.seat;
  return typeof seat === 'number' ? seat : null;
}
