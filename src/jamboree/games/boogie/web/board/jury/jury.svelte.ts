/**
 * Playback of the jury on this device: current position, and a pace that can be paused, sped up or skipped.
 *
 * By default all devices are synchronised: the schedule counts from the time of the event, so a late device catches up.
 */
import type { Scene } from '$lib/contract';
import type { Jump, Jury, Promised, Table, View } from '../../model/wire';
import { sameJump } from '../../model/cards';
import { jumpName } from '../../model/wording';
import { decidingCard } from './deciding_card';
import { settledAt } from './verdicts';

/** How much of a jump has been shown. */
export interface Shown {
  cards: number; // revealed cards: characters first, then jumpcards
  removed: boolean; // illegal cards have been removed
  counted: boolean;
  weighed: boolean;
  rolling: boolean;
  rolled: boolean;
  scored: boolean;
  judging: boolean; // the promises about the jump are judged
  stop: boolean; // at a party: paused before the deciding card
}

export const NOTHING: Shown = {
  cards: 0,
  removed: false,
  counted: false,
  weighed: false,
  rolling: false,
  rolled: false,
  scored: false,
  judging: false,
  stop: false,
};
export const ALL: Shown = {
  cards: Infinity,
  removed: true,
  counted: true,
  weighed: true,
  rolling: false,
  rolled: true,
  scored: true,
  judging: true,
  stop: false,
};

export const PACE = { card: 700, removed: 700, counted: 1100, weighed: 800, roll: 400, scored: 1200 };
/** More time at a party, where all look at one screen: for the sum of a roll, and before the first stamp of a jump. */
const PARTY = { rolled: 1200, promises: 800 };
export const PAGE = 4; // promises of a jump that a big screen shows at once
const PAGE_TIME = 2500; // at least, if there are several pages
const STAMP: Record<string, number> = { kept: 600, broken: 1600, void: 300 }; // a broken promise is shown longest
export const STOP = 1500; // before the card that decides
const LONGEST = 45_000; // the next plane leaves a minute after PULL

export class JuryPlayback {
  jury = $state.raw<Jury | null>(null); // during playback
  jump = $state(0); // index of the current jump
  shown = $state.raw<Shown>(ALL);
  stamped = $state.raw<ReadonlySet<Promised>>(new Set()); // during playback
  held = $state(false);
  private before: number[][] = []; // points of the jumpruns before this one
  detached = false; // plays without the events of a step
  leadIn = 0; // ms from PULL to the first card
  private scale = 1;
  private start = 0; // start, by performance.now()
  private planned = 0; // ms after the start when the next item is due
  private skipped = false;
  private release: (() => void) | null = null;

  constructor(private readonly table: Table) {}

  readonly playing = $derived.by(() => this.jury !== null);
  readonly shownJury = $derived.by((): Jury => this.jury ?? this.table.view.jury);

  get atParty(): boolean {
    return this.table.party;
  }

  begin(scene: Scene<View>): void {
    if (this.jury || !scene.animated) return;
    this.jury = scene.after.jury;
    this.before = scene.after.points.slice(0, -1);
    this.jump = 0;
    this.stamped = new Set();
    this.shown = NOTHING;
    this.held = this.skipped = false;
    this.scale = Math.min(1, LONGEST / lengthOf(scene.after.jury, this.table.party));
    [this.start, this.planned] = [this.happened(scene), this.leadIn];
  }

  /** Start of the jury: by the table's clock if one runs, because the step may have arrived late. */
  private happened({ receivedAt, due }: Scene<View>): number {
    if (due != null) return due; // common time of a party
    const { clock, latestView } = this.table;
    if (clock?.kind !== 'phase' || latestView.phase !== 'preparation') return receivedAt;
    return Math.min(receivedAt, performance.now() - (clock.of - clock.left) * 1000);
  }

  end(): void {
    this.jury = null;
    this.leadIn = 0;
    this.detached = false;
    this.shown = ALL;
    this.held = false;
  }

  /** At a party, pause before the deciding card. */
  async suspend(scene: Scene<View>, card: number): Promise<void> {
    const jump = this.shownJury.jumps[this.jump];
    if (!this.table.party || !jump || !this.goesOn(scene) || decidingCard(jump) !== card) return;
    this.show({ stop: true });
    scene.sound('drumroll');
    await this.beat(scene, STOP);
    this.show({ stop: false });
  }

  open(jump: Jump): void {
    this.jump = Math.max(
      0,
      this.shownJury.jumps.findIndex((one) => sameJump(one.jump, jump)),
    );
    this.shown = NOTHING;
  }

  /** Points of all players, with those of the jumps shown so far. */
  readonly points = $derived.by((): number[] => {
    const { view } = this.table;
    const runs = this.playing ? this.before : view.points;
    const jumps = this.playing ? this.shownJury.jumps.slice(0, this.jump + (this.shown.scored ? 1 : 0)) : [];
    return view.hands.map((_, seat) => {
      const won = jumps.filter(({ jumpers }) => jumpers.includes(seat)).map(({ points }) => points);
      return [...runs.map((run) => run[seat] ?? 0), ...won].reduce((sum, one) => sum + one, 0);
    });
  });

  /** Whether a promise's verdict has been shown. */
  isStamped(promised: Promised): boolean {
    return !this.playing || this.stamped.has(promised);
  }

  /** Promises whose verdict is due after the current jump. */
  ripe(): Promised[] {
    return this.shownJury.promises.filter(
      (one) => !this.stamped.has(one) && settledAt(this.shownJury, one) <= this.jump,
    );
  }

  stamp(promised: Promised): void {
    this.stamped = new Set([...this.stamped, promised]);
  }

  /** At a party, time to read something that phones show more briefly. */
  async pauseAtParty(scene: Scene<View>, what: keyof typeof PARTY): Promise<void> {
    if (this.table.party) await this.beat(scene, PARTY[what]);
  }

  show(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
  }

  /** Show a judged jump. */
  lookAt(index: number): void {
    if (!this.playing) this.jump = index;
  }

  lookBackAt(jump: Jump): void {
    const index = this.shownJury.jumps.findIndex((one) => sameJump(one.jump, jump));
    if (index >= 0) this.lookAt(index);
  }

  next(): void {
    this.release?.();
  }

  hold(): void {
    this.held = !this.held;
    if (!this.held) this.release?.();
  }

  skip(): void {
    this.skipped = true;
    this.held = false;
    this.release?.();
  }

  /** The prompt during the jury. */
  prompt(table: Table): string | null {
    const jump = this.jury?.jumps[this.jump];
    return jump ? table.t('web.jury.looks-at', { jump: jumpName(table, jump.jump, null) }) : null;
  }

  /** Whether playback continues: not skipped, and the next plane has not left. */
  goesOn(scene: Scene<View>): boolean {
    const phase = this.table.latestView.phase;
    return this.playing && scene.animated && !this.skipped && (phase === 'preparation' || phase === 'over');
  }

  /** Wait for the next card: its due time, a tap on “next”, or the end of a pause. */
  async beat(scene: Scene<View>, milliseconds: number): Promise<void> {
    if (!this.goesOn(scene)) return;
    this.planned += milliseconds * this.scale;
    const left = this.start + this.planned - performance.now();
    if (left <= 0 && !this.held) return; // late: other devices have shown it
    let own = false;
    const asked = new Promise<void>((resolve) => (this.release = () => ((own = true), resolve())));
    await Promise.race([asked, scene.wait(left, true)]);
    if (this.held && this.goesOn(scene)) await Promise.race([asked, this.skippedBy(scene)]);
    if (own) this.start = performance.now() - this.planned; // from here on unsynchronised
    this.release = null;
  }

  /** A paused playback still ends when the shell skips animations. */
  private async skippedBy(scene: Scene<View>): Promise<void> {
    while (this.held && this.goesOn(scene)) await scene.wait(200, true);
  }
}

/** How long the jury is played back, from its first card. */
export function durationOf(jury: Jury, party: boolean): number {
  return Math.min(LONGEST, lengthOf(jury, party));
}

function lengthOf(jury: Jury, party: boolean): number {
  const jumps = jury.jumps.map((jump) => {
    const cards = (jump.characters.length + jump.jumpcards.length) * PACE.card;
    const roll = jump.eyes.length ? PACE.weighed + PACE.roll + (party ? PARTY.rolled : 0) : 0;
    const stop = party && decidingCard(jump) !== null ? STOP : 0;
    return cards + stop + PACE.counted + roll + PACE.scored;
  });
  const stamps = jury.jumps.flatMap((_, index) => {
    const beats = stampBeats(
      jury.promises.filter((one) => settledAt(jury, one) === index),
      party,
    );
    return party && beats.some((beat) => beat) ? [PARTY.promises, ...beats] : beats;
  });
  return [...jumps, ...stamps].reduce((sum, length) => sum + length, 0);
}

/**
 * How long each promise of a jump is shown. At a party private ones take no time, so that all devices keep pace with
 * the big screen, which does not know them; and of many public ones, each page is shown for a while.
 */
export function stampBeats(promises: readonly Promised[], party: boolean): number[] {
  const beats = promises.map(({ to, verdict }) => (party && to !== null ? 0 : STAMP[verdict ?? 'void']!));
  const open = promises.flatMap(({ to }, index) => (to === null ? [index] : []));
  if (!party || open.length <= PAGE) return beats;
  for (let first = 0; first < open.length; first += PAGE) {
    const page = open.slice(first, first + PAGE);
    const length = page.reduce((sum, index) => sum + beats[index]!, 0);
    beats[page.at(-1)!] = beats[page.at(-1)!]! + Math.max(0, PAGE_TIME - length);
  }
  return beats;
}
