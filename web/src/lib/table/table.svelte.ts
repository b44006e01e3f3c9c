/** A table as a game's components see it: state, the action being considered, and requests. */
import type { Answer, Post } from '../../net/wire';
import { Legal, NOTHING } from '../actions';
import { Considering } from './preview.svelte';
import { Hints } from './hints.svelte';
import type {
  Caution,
  TableUi,
  LogEntry,
  Params,
  Preview,
  Settings,
  TableModel,
  Tagged,
  Talk,
  WhyNot,
} from '../contract';
import { fill, list, t, words, type Texts } from '../i18n.svelte';
import { queued } from './bot_queue';
import { own } from '../own_property';
import { worded } from './refusals';
import type { Room } from './table_store.svelte';
import { Seen } from './table_state.svelte';
import { settings } from '../settings.svelte';
import { play } from './synth';

/** A sentence in the inspector's place: why something can't be done. */
export interface Notice {
  sentence: string;
  rule: string | null;
}

const PHRASE = 'phrase.';
const PEEK = 'curtain.'; // and the seconds it was open for the wrong person
const ASKING = { stage: 'asking' }; // as at any table without a coach

export class Table extends Seen implements TableModel {
  private noted = $state.raw<{ notice: Notice; position: unknown } | null>(null); // it is about one position
  pending = $state(0); // moves on their way
  model: unknown = null; // the table UI's own, made with the frame
  explained = $state.raw<LogEntry | null>(null); // the line of the log that is shown on the board
  goal = $state(''); // what a coach asks for, in a lesson
  rules = $state.raw<{ open: boolean; rule: string | null }>({ open: false, rule: null });
  root: HTMLElement | null = null;
  texts = $state.raw<Texts>({});
  private readonly mind = new Considering(
    (action) => this.foresee(action),
    () => this.room.position,
  );

  readonly hints = new Hints({
    ...{ practice: () => this.room.seen?.practice ?? false, ask: (message) => this.post.ask(message) },
    ...{ consider: (action) => this.consider(action), act: (action) => this.act(action) },
    choice: () => this.room.position,
  });
  readonly settings: Settings = settings;
  private readonly offered = $derived.by(() => new Legal(this.room.story.shown?.legal ?? []));
  private readonly free = $derived.by(
    () =>
      this.post.state === 'open' &&
      this.playing &&
      (this.room.seen?.lesson ?? ASKING).stage === ASKING.stage &&
      !(this.pending || this.paused || this.room.story.telling),
  );

  constructor(
    room: Room,
    readonly post: Post,
    readonly ui: TableUi,
  ) {
    super(room);
    room.story.teller = {
      tell: async (event, scene) => {
        if (this.model) await this.ui.tell?.(event, scene, this, this.model); // a curtain may be before it
      },
      awaits: (event) => this.ui.awaits?.(event) ?? false,
      together: (event) => this.party && (this.ui.together?.(event) ?? false),
      theatre: () => ({ root: this.root, moving: settings.motion, sound: (name) => this.sound(name) }),
    };
  }

  get game(): string {
    return this.ui.key;
  }
  /** The step that lies on the table; none while a story is told or a move is on its way. */
  get step(): number | null {
    return this.telling || this.pending ? null : this.room.seq;
  }
  get asked(): boolean {
    return this.free && this.mine;
  }
  /** Whether this is a player's phone before a big screen, which shows what is public. */
  get controller(): boolean {
    return this.party && this.screens > 0 && this.me !== null && this.playing;
  }
  /** Whether there is nothing to do here but to look at the big screen. */
  get looksUp(): boolean {
    return this.controller && !this.mine && !this.paused;
  }
  get legal(): Tagged[] {
    return this.usable.all;
  }
  /** The prompt: what is asked of me, or for whom we wait. */
  get question(): string {
    const told = this.telling ? this.ui.prompt?.(this, this.model) : null;
    if (told) return told;
    if (this.outcome) return this.room.story.shown?.question || t('prompt.over');
    if (this.paused) return this.pauseSentence();
    if (this.goal) return this.goal;
    if (this.mine) return this.room.story.shown?.question || t('prompt.yours');
    const waited = this.ui.waitsFor?.(this) ?? this.actors;
    const others = waited.filter((seat) => seat !== this.me); // my last move may still be told
    if (!others.length) return t('prompt.moment');
    const names = list(others.map((seat) => this.room.nameOf(seat)));
    return queued(this.room, others) || t('prompt.waiting', { names });
  }

  /** Who holds the game up, and who can go on. */
  private pauseSentence(): string {
    if (this.hosting) return t('prompt.paused.mine');
    if (this.room.seen?.pause_over) return t(this.me === null ? 'prompt.paused.over.all' : 'prompt.paused.over');
    return t('prompt.paused', { name: this.room.person(this.room.seen?.host ?? '')?.name ?? '' });
  }

  /** What was said; phrases in the reader's language, unless the reader wants none of them. */
  override get talk(): Talk[] {
    const heard = super.talk.filter(({ phrase, person }) => {
      const mine = person === this.room.you.person || phrase?.startsWith(PEEK);
      return !phrase || mine || settings.wishes.phrases;
    });
    return heard.map((line) => ({ ...line, text: this.spoken(line) }));
  }

  /** The quick phrases of this game, with their keys. */
  get phrases(): { key: string; text: string }[] {
    const keys = Object.keys(this.texts).filter((key) => key.startsWith(PHRASE));
    return keys.map((key) => ({ key: key.slice(PHRASE.length), text: this.t(key) }));
  }

  private spoken({ phrase = '', text, name }: Talk): string {
    if (phrase.startsWith(PEEK)) return t('curtain.peeked', { count: Number(phrase.slice(PEEK.length)), name });
    return phrase && this.has(PHRASE + phrase) ? this.t(PHRASE + phrase) : text;
  }

  offers<K extends string>(type: K): Extract<Tagged, { type: K }>[] {
    return this.usable.of(type) as Extract<Tagged, { type: K }>[];
  }
  cautions(action: Tagged): Caution[] {
    return this.offered.cautions(action);
  }

  get intent(): Tagged | null {
    return this.mind.intent;
  }
  get picked(): Tagged | null {
    return this.mind.picked;
  }
  get foreseen(): Preview<unknown> | null {
    return this.mind.foreseen;
  }

  get notice(): Notice | null {
    return this.noted?.position === this.room.position ? this.noted.notice : null;
  }

  /** Say why something can't be done. */
  explain(sentence: string): void {
    this.note({ sentence, rule: null });
  }

  private note(notice: Notice | null): void {
    this.noted = notice && { notice, position: this.room.position };
  }

  consider(action: Tagged | null): void {
    if (action) this.note(null);
    this.mind.consider(action);
  }

  choose(action: Tagged, pointer = 'mouse'): void {
    this.note(null);
    if (pointer === 'touch' || settings.confirm || this.cautions(action).length) this.mind.pick(action);
    else void this.act(action);
  }

  /** Do what waits for the confirm button. */
  confirm(): void {
    if (this.picked) void this.act(this.picked);
  }

  cancel(): void {
    this.note(null);
    this.mind.drop();
  }

  async act(action: Tagged): Promise<boolean> {
    this.hints.close(); // it was about this choice
    this.cancel();
    this.pending++;
    const answer = await this.post.ask({ type: 'act', action });
    this.pending--;
    return this.accepted(answer);
  }

  preview(action: Tagged): Promise<Preview<unknown> | null> {
    return this.mind.preview(action);
  }

  async whyNot(action: Tagged): Promise<WhyNot> {
    const answer = await this.post.ask({ type: 'why-not', action });
    if (answer.type !== 'why-not') return { allowed: false, sentence: refusal(answer), rule: null };
    const why = { allowed: answer.allowed, sentence: answer.sentence, rule: answer.detail?.rule ?? null };
    if (!why.allowed) this.note(why);
    return why;
  }

  openRules(rule?: string): void {
    this.rules = { open: true, rule: rule ?? null };
  }

  closeRules(): void {
    this.rules = { open: false, rule: null };
  }

  toggleRules(): void {
    if (this.rules.open) this.closeRules();
    else this.openRules();
  }

  async askUndo(): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'undo' }));
  }

  async answerUndo(agree: boolean): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'answer-undo', agrees: agree }));
  }

  async withdrawUndo(): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'withdraw-undo' }));
  }

  async pause(paused: boolean): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'pause', paused }));
  }

  /** Show that I am there. */
  giveSign(): void {
    this.room.nudgedBy = '';
    void this.post.ask({ type: 'activity' });
  }

  /** Whether I can be taken to my turn: bots move, or moves of theirs are told, and no clock of the game runs. */
  get skippable(): boolean {
    return (
      this.playing &&
      !this.outcome && // a lesson may go as far as the end of a game
      this.alone &&
      !this.mine &&
      !this.paused &&
      this.room.clock?.kind !== 'phase'
    );
  }

  /** Have bots move at once and tell nothing in motion until it is my turn. */
  skipToMe(): void {
    this.room.story.rush((position) => this.me !== null && position.actors.includes(this.me));
    void this.post.ask({ type: 'hurry' });
  }

  async nudge(person: string): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'nudge', person }));
  }

  async vote(person: string, bot: boolean): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'vote', person, bot }));
  }

  async say(text: string, to?: string): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'say', text, to: to ?? null }));
  }

  async speak(phrase: string): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'phrase', phrase }));
  }

  t(key: string, params?: Params): string {
    const text = own(this.texts, key) ?? own(words.shell, key);
    return text === undefined ? key : fill(text, params);
  }

  /** Whether the game's own catalogue has a text. */
  has(key: string): boolean {
    return Object.hasOwn(this.texts, key);
  }

  skip(): void {
    this.room.story.skip();
  }

  sound(name: string): void {
    if (this.audible) play(this.ui.sounds[name]);
  }

  /** At a party the screen is heard, and not every phone besides. */
  private get audible(): boolean {
    return this.onScreen || (settings.sound && !(this.party && this.screens));
  }

  private get usable(): Legal {
    return this.asked ? this.offered : NOTHING;
  }

  private async foresee(action: Tagged): Promise<Preview<unknown> | null> {
    const answer = await this.post.ask({ type: 'preview', action });
    return answer.type === 'preview' ? answer : null;
  }

  private accepted(answer: Answer): boolean {
    if (answer.type !== 'error') return true;
    this.note({ sentence: refusal(answer), rule: answer.detail?.rule ?? null });
    return false;
  }
}

function refusal(answer: Answer): string {
  return answer.type === 'error' ? worded(answer) : '';
}
