/** A table as a game's parts see it: what was heard, what is being considered, and what can be asked. */
import type { Answer, Post } from '../net/wire';
import { keyOf, Legal, NOTHING, same } from './actions';
import type {
  Caution,
  Clock,
  Face,
  Outcome,
  Params,
  Preview,
  Seat,
  Settings,
  TableModel,
  Tagged,
  Talk,
} from './contract';
import type { WhyNot } from './contract';
import { fill, list, t, words, type Texts } from './i18n.svelte';
import { worded } from './refusals';
import type { Room } from './room.svelte';
import { settings } from './settings.svelte';
import { play } from './synth';

/** A sentence in the inspector's place: why something can't be done. */
export interface Notice {
  sentence: string;
  rule: string | null;
}

const SETTLED = 70; // ms an action must be looked at before its preview is asked for

export class Table implements TableModel {
  intent = $state.raw<Tagged | null>(null);
  picked = $state.raw<Tagged | null>(null); // waits for the confirm button
  foreseen = $state.raw<Preview<unknown> | null>(null);
  notice = $state.raw<Notice | null>(null);
  pending = $state(0); // moves on their way
  model: unknown = null; // the face's own, made with the frame
  rules = $state.raw<{ open: boolean; rule: string | null }>({ open: false, rule: null });
  private heard = $state(0); // lines of talk that were read
  root: HTMLElement | null = null;
  texts = $state.raw<Texts>({});
  private now = $state(performance.now());
  private readonly previews = new Map<string, Preview<unknown>>();
  private previewed: unknown = null; // the position the previews belong to
  private settling: ReturnType<typeof setTimeout> | undefined;

  readonly settings: Settings = settings;
  private readonly offered = $derived.by(() => new Legal(this.room.story.shown?.legal ?? []));
  private readonly free = $derived.by(
    () => this.post.state === 'open' && this.playing && !(this.pending || this.paused || this.room.story.telling),
  );

  constructor(
    readonly room: Room,
    readonly post: Post,
    readonly face: Face,
  ) {
    this.heard = room.lines.length;
    room.story.teller = {
      tell: async (event, scene) => this.face.tell?.(event, scene, this, this.model),
      theatre: () => ({ root: this.root, moving: settings.motion, sound: (name) => this.sound(name) }),
    };
  }

  get game(): string {
    return this.face.key;
  }
  get view(): unknown {
    return this.room.story.shown?.view;
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
  get asked(): boolean {
    return this.free && this.mine;
  }
  get legal(): Tagged[] {
    return this.usable.all;
  }
  get outcome(): Outcome | null {
    return this.room.story.shown?.outcome ?? null;
  }
  get paused(): boolean {
    return this.room.seen?.paused === 'yes';
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
  get telling(): boolean {
    return this.room.story.telling;
  }
  get clock(): Clock | null {
    const clock = this.room.clock;
    if (!clock) return null;
    const gone = clock.running ? Math.max(0, this.now - clock.heard) / 1000 : 0;
    return { ...clock, left: Math.max(0, clock.left - gone) };
  }
  get talk(): Talk[] {
    return this.room.lines.map((line) => {
      const person = this.room.person(line.person);
      return { ...line, seat: person?.seat ?? null, name: person?.name ?? '' };
    });
  }

  /** The prompt: what is asked of me, or for whom we wait. */
  get question(): string {
    const told = this.telling ? this.face.prompt?.(this, this.model) : null;
    if (told) return told;
    if (this.outcome) return this.room.story.shown?.question || t('prompt.over');
    if (this.paused) return t('prompt.paused');
    if (this.mine) return this.room.story.shown?.question || t('prompt.yours');
    if (!this.actors.length) return t('prompt.moment');
    return t('prompt.waiting', { names: list(this.actors.map((seat) => this.room.nameOf(seat))) });
  }

  name(seat: Seat): string {
    return seat === this.me ? t('you') : this.room.nameOf(seat);
  }
  isBot(seat: Seat): boolean {
    return this.room.isBot(seat);
  }
  person(seat: Seat): string | null {
    return this.room.at(seat)?.person ?? null;
  }
  offers<K extends string>(type: K): Extract<Tagged, { type: K }>[] {
    return this.usable.of(type) as Extract<Tagged, { type: K }>[];
  }
  cautions(action: Tagged): Caution[] {
    return this.offered.cautions(action);
  }

  consider(action: Tagged | null): void {
    const next = action ?? this.picked;
    if (action) this.notice = null;
    if (same(next, this.intent)) return;
    this.intent = next;
    this.foreseen = null;
    clearTimeout(this.settling);
    if (next) this.settling = setTimeout(() => void this.foresee(next), SETTLED);
  }

  choose(action: Tagged, pointer = 'mouse'): void {
    if (pointer === 'touch' || settings.confirm || this.cautions(action).length) {
      this.picked = action;
      this.consider(action);
    } else void this.act(action);
  }

  /** Do what waits for the confirm button. */
  confirm(): void {
    if (this.picked) void this.act(this.picked);
  }

  cancel(): void {
    this.picked = this.notice = null;
    this.consider(null);
  }

  async act(action: Tagged): Promise<boolean> {
    this.cancel();
    this.pending++;
    const answer = await this.post.ask({ type: 'act', action });
    this.pending--;
    return this.accepted(answer);
  }

  async preview(action: Tagged): Promise<Preview<unknown> | null> {
    if (this.previewed !== this.room.position) this.previews.clear();
    this.previewed = this.room.position;
    const known = this.previews.get(keyOf(action));
    if (known) return known;
    const answer = await this.post.ask({ type: 'preview', action });
    if (answer.type !== 'previewed') return null;
    this.previews.set(keyOf(action), answer);
    return answer;
  }

  async whyNot(action: Tagged): Promise<WhyNot> {
    const answer = await this.post.ask({ type: 'why-not', action });
    if (answer.type !== 'why') return { allowed: false, sentence: refusal(answer), rule: null };
    const why = { allowed: answer.allowed, sentence: answer.sentence, rule: answer.detail?.rule ?? null };
    if (!why.allowed) this.notice = why;
    return why;
  }

  openRules(rule?: string): void {
    this.rules = { open: true, rule: rule ?? null };
  }

  closeRules(): void {
    this.rules = { open: false, rule: null };
  }

  async askUndo(): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'undo' }));
  }

  async answerUndo(agree: boolean): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'agree', agree }));
  }

  async pause(paused: boolean): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'pause', paused }));
  }

  async say(text: string, to?: string): Promise<boolean> {
    return this.accepted(await this.post.ask({ type: 'say', text, to: to ?? null }));
  }

  t(key: string, params?: Params): string {
    const text = this.texts[key] ?? words.shell[key];
    return text === undefined ? key : fill(text, params);
  }

  /** Whether the game's own catalogue has a text. */
  has(key: string): boolean {
    return key in this.texts;
  }

  skip(): void {
    this.room.story.skip();
  }

  sound(name: string): void {
    if (settings.sound) play(this.face.sounds[name]);
  }

  get unread(): number {
    return Math.max(0, this.room.lines.length - this.heard);
  }

  readTalk(): void {
    this.heard = this.room.lines.length;
  }

  tick(): void {
    this.now = performance.now();
  }

  private get usable(): Legal {
    return this.asked ? this.offered : NOTHING;
  }

  private async foresee(action: Tagged): Promise<void> {
    const preview = await this.preview(action);
    if (same(action, this.intent)) this.foreseen = preview;
  }

  private accepted(answer: Answer): boolean {
    if (answer.type !== 'error') return true;
    this.notice = { sentence: refusal(answer), rule: answer.detail?.rule ?? null };
    return false;
  }
}

function refusal(answer: Answer): string {
  return answer.type === 'error' ? worded(answer) : '';
}
