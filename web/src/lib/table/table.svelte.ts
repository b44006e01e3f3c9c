/** A table as a game's components see it: state, the action being considered, and requests. */
import type { Answer, Transport } from '../../net/wire';
import { LegalActions, NOTHING } from '../actions';
import { ConsideredAction } from './preview.svelte';
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
  ChatEntry,
  WhyNot,
} from '../contract';
import { fill, list, t, words, type Texts } from '../i18n.svelte';
import { queuePrompt } from './bot_queue';
import { own } from '../own_property';
import { errorText } from './refusals';
import type { TableStore } from './table_store.svelte';
import { TableState } from './table_state.svelte';
import { settings } from '../settings.svelte';
import { play } from './synth';

/** A message above the hand, until the next press: why an action is impossible. */
export interface Notice {
  sentence: string;
  rule: string | null;
  place?: string; // the pressed `data-at`, which is crossed out
}

const PHRASE = 'phrase.';
const REPLY = 'phrase.reply.'; // phrases that answer another player
const CURTAIN_PHRASE = 'curtain.'; // followed by the seconds the curtain was open for the wrong person
const NO_LESSON = { stage: 'asking' }; // as at a table without lessons

export class Table extends TableState implements TableModel {
  private storedNotice = $state.raw<{ notice: Notice; position: string } | null>(null); // valid for one position only
  pending = $state(0); // moves sent and not yet answered
  model: unknown = null; // the table UI's own, made with the frame
  explainedEntry = $state.raw<LogEntry | null>(null); // the log entry that is explained on the board
  pressed: string | null = null; // the `data-at` of the last press
  lessonTask = $state(''); // the task that a lesson's coach sets
  rules = $state.raw<{ open: boolean; rule: string | null }>({ open: false, rule: null });
  root: HTMLElement | null = null;
  texts = $state.raw<Texts>({});
  private readonly considered = new ConsideredAction(
    (action) => this.requestPreview(action),
    () => this.store.position,
  );

  readonly hints = new Hints({
    practice: () => this.store.table?.practice ?? false,
    ask: (message) => this.transport.request(message),
    consider: (action) => this.consider(action),
    act: (action) => this.act(action),
    decision: () => this.store.position,
  });
  readonly settings: Settings = settings;
  private readonly offered = $derived.by(() => new LegalActions(this.store.animations.shown?.legal ?? []));
  private readonly ready = $derived.by(
    () =>
      this.transport.state === 'open' &&
      this.playing &&
      (this.store.table?.lesson ?? NO_LESSON).stage === NO_LESSON.stage &&
      !(this.pending || this.paused || this.store.animations.animating),
  );

  constructor(
    store: TableStore,
    readonly transport: Transport,
    readonly ui: TableUi,
  ) {
    super(store);
    store.animations.animator = {
      animate: async (event, scene) => {
        if (this.model) await this.ui.animate?.(event, scene, this, this.model); // no frame yet, for example behind the curtain of a shared device
      },
      waitsForViewer: (event) => this.ui.waitsForViewer?.(event) ?? false,
      isSynchronised: (event) => this.party && (this.ui.isSynchronised?.(event) ?? false),
      sceneContext: () => ({ root: this.root, animated: settings.motion, sound: (name) => this.sound(name) }),
    };
  }

  get game(): string {
    return this.ui.key;
  }
  /** The step shown; null during animations or while a move is pending. */
  get step(): number | null {
    return this.animating || this.pending ? null : this.store.seq;
  }
  get canAct(): boolean {
    return this.ready && this.isMyTurn;
  }
  /** Whether this is a player's phone at a party, where a big screen shows the public part. */
  get controller(): boolean {
    return this.party && this.screens > 0 && this.me !== null && this.playing;
  }
  /** Whether this phone has nothing to do, so that its player watches the big screen. */
  get watchesScreen(): boolean {
    return this.controller && !this.isMyTurn && !this.paused;
  }
  get legal(): Tagged[] {
    return this.usable.all;
  }
  /** The prompt: my decision, or whom the game waits for. */
  get prompt(): string {
    const override = this.animating ? this.ui.prompt?.(this, this.model) : null;
    if (override) return override;
    if (this.outcome) return this.store.animations.shown?.question || t('prompt.over');
    if (this.paused) return this.pauseSentence();
    if (this.lessonTask) return this.lessonTask;
    if (this.isMyTurn) return this.store.animations.shown?.question || t('prompt.yours');
    const waited = this.ui.awaitedSeats?.(this) ?? this.actors;
    const others = waited.filter((seat) => seat !== this.me); // my last move may still be animated
    if (!others.length) return t('prompt.moment');
    const names = list(others.map((seat) => this.store.nameOf(seat)));
    return queuePrompt(this.store, others) || t('prompt.waiting', { names });
  }

  /** Who paused the game, and who can resume it. */
  private pauseSentence(): string {
    if (this.hosting) return t('prompt.paused.mine');
    if (this.store.table?.pause_over) return t(this.me === null ? 'prompt.paused.over.all' : 'prompt.paused.over');
    return t('prompt.paused', { name: this.store.person(this.store.table?.host ?? '')?.name ?? '' });
  }

  /** Chat messages; quick phrases in the reader's language, or left out if the reader disabled them. */
  override get chat(): ChatEntry[] {
    const shown = super.chat.filter(({ phrase, person, to }) => {
      const mine = person === this.store.you.person || phrase?.startsWith(CURTAIN_PHRASE);
      return !phrase || mine || to !== null || settings.stored.phrases;
    });
    return shown.map((line) => ({ ...line, text: this.textOf(line) }));
  }

  /** The quick phrases of this game, with their keys. */
  get phrases(): { key: string; text: string }[] {
    const keys = Object.keys(this.texts).filter((key) => key.startsWith(PHRASE) && !key.startsWith(REPLY));
    return keys.map((key) => ({ key: key.slice(PHRASE.length), text: this.t(key) }));
  }

  private textOf({ phrase = '', text, name }: ChatEntry): string {
    if (phrase.startsWith(CURTAIN_PHRASE))
      return t('curtain.peeked', { count: Number(phrase.slice(CURTAIN_PHRASE.length)), name });
    return phrase && this.has(PHRASE + phrase) ? this.t(PHRASE + phrase) : text;
  }

  offers<K extends string>(type: K): Extract<Tagged, { type: K }>[] {
    return this.usable.of(type) as Extract<Tagged, { type: K }>[];
  }
  cautions(action: Tagged): Caution[] {
    return this.offered.cautions(action);
  }

  get intent(): Tagged | null {
    return this.considered.intent;
  }
  get picked(): Tagged | null {
    return this.considered.picked;
  }
  get intentPreview(): Preview<unknown> | null {
    return this.considered.intentPreview;
  }

  get notice(): Notice | null {
    return this.storedNotice?.position === this.positionKey ? this.storedNotice.notice : null;
  }

  /** Show a message above the hand. */
  showNotice(sentence: string): void {
    this.setNotice({ sentence, rule: null });
  }

  /** Drop the message about the last press, at the next one. */
  dismissNotice(): void {
    this.setNotice(null);
  }

  private setNotice(notice: Notice | null): void {
    this.storedNotice = notice && { notice, position: this.positionKey };
  }

  /** Stays the same if a position is sent again, as after a move that could not be stored. */
  private get positionKey(): string {
    return `${this.store.you.person} ${this.store.seq}`;
  }

  consider(action: Tagged | null): void {
    this.considered.consider(action);
  }

  choose(action: Tagged, pointer = 'mouse'): void {
    this.setNotice(null);
    if (pointer === 'touch' || settings.confirm || this.cautions(action).length) this.considered.pick(action);
    else void this.act(action);
  }

  /** Perform the action that waits for the confirm button. */
  confirm(): void {
    if (this.picked) void this.act(this.picked);
  }

  cancel(): void {
    this.setNotice(null);
    this.considered.drop();
  }

  async act(action: Tagged): Promise<boolean> {
    this.hints.close(); // the hint was about this decision
    this.cancel();
    this.pending++;
    const answer = await this.transport.request({ type: 'act', action });
    this.pending--;
    return this.accepted(answer);
  }

  preview(action: Tagged): Promise<Preview<unknown> | null> {
    return this.considered.preview(action);
  }

  async whyNot(action: Tagged): Promise<WhyNot> {
    const place = this.pressed ?? this.ui.targets?.(action, this.model, this.me ?? 0).at(-1);
    const answer = await this.transport.request({ type: 'why-not', action });
    if (answer.type !== 'why-not') return { allowed: false, sentence: refusal(answer), rule: null };
    const why = { allowed: answer.allowed, sentence: answer.sentence, rule: answer.detail?.rule ?? null };
    if (!why.allowed) this.setNotice({ sentence: why.sentence, rule: why.rule, place });
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
    return this.accepted(await this.transport.request({ type: 'undo' }));
  }

  async answerUndo(agree: boolean): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'answer-undo', agrees: agree }));
  }

  async withdrawUndo(): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'withdraw-undo' }));
  }

  async pause(paused: boolean): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'pause', paused }));
  }

  /** Answer a nudge: I am still there. */
  confirmPresence(): void {
    this.store.nudgedBy = '';
    void this.transport.request({ type: 'activity' });
  }

  /** Whether I can skip ahead to my turn: only bots move or are animated, and no phase clock runs. */
  get skippable(): boolean {
    return (
      this.playing &&
      !this.outcome &&
      !this.store.table?.lesson &&
      this.onlyHuman &&
      !this.isMyTurn &&
      !this.paused &&
      this.store.clock?.kind !== 'phase'
    );
  }

  /** Let bots move at once, without animation, until it is my turn. */
  skipToMe(): void {
    this.store.animations.skipTo((position) => this.me !== null && position.actors.includes(this.me));
    void this.transport.request({ type: 'hurry' });
  }

  async nudge(person: string): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'nudge', person }));
  }

  async vote(person: string, bot: boolean): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'vote', person, bot }));
  }

  async sendChat(text: string, to?: string): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'say', text, to: to ?? null }));
  }

  async sendPhrase(phrase: string, to?: string): Promise<boolean> {
    return this.accepted(await this.transport.request({ type: 'phrase', phrase, to: to ?? null }));
  }

  t(key: string, params?: Params): string {
    const text = own(this.texts, key) ?? own(words.shell, key);
    return text === undefined ? key : fill(text, params);
  }

  /** Whether the game's own catalogue has a text. */
  has(key: string): boolean {
    return Object.hasOwn(this.texts, key);
  }

  skipAnimations(): void {
    this.store.animations.skip();
  }

  sound(name: string): void {
    if (this.soundOn) play(this.ui.sounds[name]);
  }

  /** At a party only the big screen plays sounds, not the phones. */
  private get soundOn(): boolean {
    return this.onScreen || (settings.sound && !(this.party && this.screens));
  }

  private get usable(): LegalActions {
    return this.canAct ? this.offered : NOTHING;
  }

  private async requestPreview(action: Tagged): Promise<Preview<unknown> | null> {
    const answer = await this.transport.request({ type: 'preview', action });
    return answer.type === 'preview' ? answer : null;
  }

  private accepted(answer: Answer): boolean {
    if (answer.type !== 'error') return true;
    this.setNotice({ sentence: refusal(answer), rule: answer.detail?.rule ?? null });
    return false;
  }
}

function refusal(answer: Answer): string {
  return answer.type === 'error' ? errorText(answer) : '';
}
