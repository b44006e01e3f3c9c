/** Client-side store of a table: people, position, chat and log, built from the frames received. */
import type { LogStep } from '../../net/api';
import type { ChatMessage, News, Position, Seated, Step, TableSeen, UndoSeen, Welcome, You } from '../../net/wire';
import type { Clock, LogEntry, Seat, Tagged } from '../contract';
import { wear } from '../avatars.svelte';
import { Story } from './animation_queue.svelte';

const KEPT = 200; // lines of talk

export class Room {
  seq = $state(0);
  seen = $state.raw<TableSeen | null>(null);
  you = $state.raw<You>({ person: null, seat: null });
  position = $state.raw<Position | null>(null); // the truth, perhaps ahead of the story
  lines = $state.raw<ChatMessage[]>([]);
  log = $state.raw<LogEntry[]>([]);
  clock = $state.raw<(Clock & { heard: number }) | null>(null);
  undo = $state.raw<UndoSeen | null>(null);
  shared = false; // nobody in particular looks: several people around one device
  around = false; // this device has several people, whoever looks now
  met = 0; // when it was last heard who is there
  nudgedBy = $state(''); // who asked whether I am still there, until I do something
  back = $state<number | null>(null); // how many moves a bot made for me, until I have read it
  wanted = $state<Seat | null>(null); // the seat I asked the host for, until I have read the answer
  readonly story = new Story<Position>();
  onTold: (event: Tagged) => void = () => undefined; // one event, once it has been told
  onGap: () => void = () => undefined; // something happened that nobody will tell: the log has to be read anew

  hear(news: News): void {
    if (news.type === 'welcome') this.welcomed(news);
    else if (news.type === 'update') this.stepped(news, news.position, news.clock, news.undo, news.due ?? null);
    else if (news.type === 'table') {
      const lesson = this.seen?.lesson?.lesson;
      this.seq = news.seq;
      this.meet({ ...this.seen!, ...news.table });
      if (news.table.lesson?.lesson !== lesson) this.onGap(); // it begins where the last one ended, with a log of its own
    } else if (news.type === 'clock') this.setClock(news.clock);
    else if (news.type === 'nudge') this.nudgedBy = news.person;
    else if (news.type === 'chat') this.lines = [...this.lines, news.message].slice(-KEPT);
  }

  person(id: string): Seated | undefined {
    return this.seen?.people.find((person) => person.person === id);
  }

  at(seat: Seat): Seated | undefined {
    return this.seen?.people.find((person) => person.seat === seat);
  }

  isBot(seat: Seat): boolean {
    return !!this.seen?.bots.some((bot) => bot.seat === seat) || !!this.at(seat)?.bot_plays;
  }

  nameOf(seat: Seat): string {
    return this.at(seat)?.name ?? this.seen?.bots.find((bot) => bot.seat === seat)?.name ?? '';
  }

  /** Take the log as the server tells it from the beginning; what was heard after `asked`, or since, stays. */
  readLog(steps: LogStep[], asked = 0): void {
    const last = Math.max(steps.at(-1)?.seq ?? 0, asked);
    const told = steps.flatMap((step) =>
      step.sentences.map((text, place) => {
        const event = step.events[place] as Tagged | null;
        const seat = event ? seatOf(event) : (step.actor as Seat);
        return { seq: step.seq, place, seat, text, undone: step.undone, ...(event && { event }) };
      }),
    );
    this.log = [...told, ...this.log.filter((line) => line.seq > last)];
  }

  /** Look who is there; a seat that a bot has kept for me is mine again. */
  private meet(table: TableSeen): void {
    const me = this.you.person ?? '';
    const kept = this.person(me)?.bot_plays;
    [this.seen, this.met] = [table, performance.now()];
    wear(table.avatars);
    if (kept && !this.person(me)?.bot_plays) this.back ??= 0;
    this.wanted = this.person(me)?.wants_seat ?? this.wanted;
  }

  private welcomed(news: Welcome): void {
    const known = this.seq > 0 && this.story.shown !== null;
    [this.you, this.lines] = [news.you, news.chat];
    this.meet(news.table);
    if (news.bot_moves) this.back = news.bot_moves;
    if (known && news.missed?.length && news.position) this.caughtUp(news, news.missed, news.position);
    else this.fresh(news, known);
    this.seq = news.seq;
  }

  private fresh(news: Welcome, known: boolean): void {
    this.position = news.position;
    this.story.set(news.position);
    this.setClock(news.clock);
    this.undo = news.undo;
    if (!known || news.seq !== this.seq) this.onGap();
  }

  /** Tell what happened while we were away as one step, so that nothing is left out and nothing told twice. */
  private caughtUp(news: Welcome, missed: Step[], position: Position): void {
    const events = missed.flatMap((step) => step.events);
    const places = missed.flatMap((step) => step.events.map((_, place) => [step, place] as const));
    this.position = position;
    this.setClock(news.clock);
    this.undo = news.undo;
    this.story.add({ events, position, onEvent: (index) => this.write(...places[index]!) });
  }

  private stepped(
    step: Step,
    position: Position,
    clock: Clock | null,
    undo: UndoSeen | null,
    due: number | null,
  ): void {
    this.seq = step.seq;
    this.position = position;
    this.setClock(clock);
    this.undo = undo;
    this.story.add({ events: step.events, position, due, onEvent: (place) => this.write(step, place) });
  }

  /** Write what was told of a step; that a bot stood in comes before its first event, as in the log that is read. */
  private write(step: Step, event: number): void {
    const { seq, note } = step;
    if (note && event === 0) this.writeLine({ seq, place: 0, seat: note.seat, text: note.sentence, undone: false });
    const place = note ? event + 1 : event;
    const [text, what] = [step.sentences[event] ?? '', step.events[event] as Tagged];
    this.writeLine({ seq, place, seat: seatOf(what), text, undone: false, event: what });
    this.onTold(what);
  }

  private writeLine(line: LogEntry): void {
    const written = this.log.some((one) => one.seq === line.seq && one.place === line.place); // the log was read meanwhile
    if (line.text && !written) this.log = [...this.log, line];
  }

  private setClock(clock: Clock | null): void {
    this.clock = clock ? { ...clock, heard: performance.now() } : null;
  }
}

/** The seat an event is about, for the sign before its sentence. */
export function seatOf(event: Tagged | undefined): Seat | null {
  const seat = (event as { seat?: unknown } | undefined)?.seat;
  return typeof seat === 'number' ? seat : null;
}
