/**
 * State shared by Bebop's components: the selected piece, its targets, the hex under the pointer, the running scene.
 */
import { keyOf } from '$lib/actions';
import { bounds } from '../board/hexes';
import { advance } from '../animation/advance';
import { boardOf, type Hex } from './board';
import { places } from './places';
import { since } from './recent_moves';
import type { Action, Claim, Event, Stage, Table, Tile, View } from './wire';

export type Piece = { kind: 'die'; die: number } | { kind: 'tile'; tile: string };

interface Picked {
  view: View; // a selection is valid for one position
  piece: Piece | null;
  hex: string | null;
}

/** The caption during an animated scoring, with the counting dice. */
export interface Scene {
  title: string;
  line: string;
  counting: string[]; // hexes
  winning: string[]; // those of the winners
  paid: number[]; // points by seat in this scene
  ends: boolean; // part of the final scoring, shown above the board
}

const COUNT = 22; // size of the letters of a count, in units of the board
const STRETCHED = 1.5; // aspect ratio
const NOTHING = { piece: null, hex: null };

export class BebopModel {
  turned = $state(false); // the board is rotated: flat-top hexes
  letters = $state(0); // size of the smallest letters on a big screen, in units of the board; 0 on others
  tiny = $state(false); // hexes are too small for animations
  faceDown = $state(false); // whether a special is laid face down
  looked = $state<string | null>(null); // hex under the pointer or focus
  cursor = $state<string | null>(null); // hex in the tab order
  playing = $state<string | null>(null); // the stage that performs
  private happening = $state.raw<{ at: View; hex: string } | null>(null); // where the animated event takes place
  private pointed = $state.raw<{ at: View; hexes: string[]; paying: string[] } | null>(null);
  private acted = $state.raw<{ since: View; scene: Scene } | null>(null);
  private ending = false; // the final scoring is animated
  summoned = $state(0); // incremented when the focus should move to the cursor
  private picked = $state.raw<Picked | null>(null);
  private animated = $state.raw<{ since: View; view: View } | null>(null);
  private known = $state.raw<ReadonlyMap<string, number>>(new Map());
  private gained = $state.raw<{ points: number[]; scores: number[] }>({ points: [], scores: [] });

  private readonly festival = $derived.by(() => this.table.view.festival);
  readonly board = $derived.by(() => boardOf(this.festival));

  /** Whether the board is much wider than high. */
  readonly stretched = $derived.by(() => {
    const { width, height } = bounds(this.board.hexes, false);
    return width > STRETCHED * height;
  });

  /** The view after the events animated so far. */
  readonly view = $derived.by(() => (this.animated?.since === this.table.view ? this.animated.view : this.table.view));
  readonly tiles = $derived.by(() => new Map(this.view.tiles.map((tile): [string, Tile] => [tile.hex, tile])));
  readonly stages = $derived.by(() => new Map(this.view.stages.map((stage): [string, Stage] => [stage.stage, stage])));

  /** The current scene; it ends with the animation of its step. */
  readonly scene = $derived.by(() => (this.acted?.since === this.table.view ? this.acted.scene : null));

  /** Scale of the counts on the board, so that they are legible. */
  readonly enlarged = $derived.by(() => Math.max(1, this.letters / COUNT));

  /** Hexes highlighted by a log entry or a recent move. */
  readonly highlightedHexes = $derived.by(() => (this.pointed?.at === this.table.view ? this.pointed.hexes : []));
  /** Those of them whose dice paid a point each. */
  readonly payingHexes = $derived.by(() => (this.pointed?.at === this.table.view ? this.pointed.paying : []));
  readonly since = $derived.by(() => since(this.table.log, this.table.me, (event) => this.hexesOf(event)));

  private readonly choice = $derived.by(() =>
    this.table.canAct && this.picked?.view === this.table.view ? this.picked : NOTHING,
  );
  readonly lookedStage = $derived.by(() => this.hexAt(this.looked ?? '')?.stage ?? null);
  readonly targets = $derived.by(() => this.findTargets());

  /** What a small board zooms in on: the animated or highlighted move, or the targets of the selection. */
  readonly inSight = $derived.by((): string[] => {
    if (!this.tiny) return [];
    if (this.happening?.at === this.table.view) return [this.happening.hex];
    return this.highlightedHexes.length ? this.highlightedHexes : this.piece ? [...this.targets.keys()] : [];
  });

  constructor(readonly table: Table) {}

  get piece(): Piece | null {
    return this.choice.piece;
  }
  get hex(): string | null {
    return this.choice.hex;
  }
  get phase(): string {
    return this.view.phase;
  }

  hexAt(name: string): Hex | undefined {
    return this.board.at.get(name);
  }

  light(hexes: string[], paying: string[] = []): void {
    this.pointed = { at: this.table.view, hexes, paying };
  }

  /** Zoom in on an event during its animation, or out again. */
  follow(hex: string | null): void {
    this.happening = hex === null ? null : { at: this.table.view, hex };
  }

  /** The hexes of an event, including those of its stage. */
  hexesOf(event: Event): string[] {
    return places(event).flatMap((place) => {
      const [, kind, name] = /^(hex|stage)-(.+)$/.exec(place) ?? [];
      return kind === 'stage' ? (this.stages.get(name!)?.spaces ?? []) : kind ? [name!] : [];
    });
  }

  score(seat: number): number {
    const { families = 0, stages = 0, majorities = 0 } = this.view.points[seat] ?? {};
    return families + stages + majorities;
  }

  private get scores(): number[] {
    return this.view.points.map((_, seat) => this.score(seat));
  }

  /** Points of each player since their own last claim or booking; none for another position. */
  get gains(): number[] {
    const { points, scores } = this.gained;
    return this.scores.every((score, seat) => score === scores[seat]) ? points : [];
  }

  isPicked(piece: Piece): boolean {
    return JSON.stringify(piece) === JSON.stringify(this.piece);
  }

  /** Select or deselect a piece. */
  pick(piece: Piece): void {
    const again = this.isPicked(piece);
    if (!again) this.faceDown = false;
    this.hold(again ? NOTHING : { piece, hex: null });
  }

  pickHex(hex: string): void {
    this.faceDown = false;
    this.hold({ piece: null, hex: hex === this.hex ? null : hex });
  }

  drop(): void {
    this.hold(NOTHING);
  }

  turnOver(): void {
    this.faceDown = !this.faceDown;
    this.table.consider(null);
  }

  /** Whether the face-down switch matters: a special is selected, or a hex that takes one. */
  get canTurn(): boolean {
    if (this.hex)
      return this.table.offers('ClaimSeat').some((offer) => offer.hex === this.hex && offer.tile !== 'basic');
    return this.piece?.kind === 'tile' && this.piece.tile !== 'basic';
  }

  /** Move the keyboard focus to a hex, or to the first target. */
  summon(name: string | undefined = this.targets.keys().next().value): void {
    if (!name) return;
    this.cursor = name;
    this.summoned++;
  }

  /** The focus target of the next decision: the first usable piece, a stage, or an action without a piece. */
  get next(): string | null {
    const { table } = this;
    const [stage] = this.performances().keys();
    const [queued] = table.offers('TakeFromQueue');
    const [die] = [...table.offers('RerollDie'), ...table.offers('BookSeat')];
    const [seat] = table.offers('ClaimSeat');
    if (stage) return `hex-${stage}`;
    if (queued) return `queue-${queued.place}`;
    if (die) return `hand-${die.die}`;
    if (seat) return `supply-${seat.tile}`;
    return table.offers('DrawFromBag').length ? 'bag' : table.legal.length ? 'answer' : null;
  }

  /** The action of laying a piece on a hex, legal or not. */
  laying(piece: Piece, hex: string): Action {
    if (piece.kind === 'die') return { type: 'BookSeat', die: piece.die, hex };
    const { tile } = piece;
    return { type: 'ClaimSeat', tile, hex, face_down: tile !== 'basic' && this.faceDown };
  }

  isLegal(action: Action): boolean {
    const key = keyOf(action);
    return this.table.offers(action.type).some((offer) => keyOf(offer) === key);
  }

  /** Legal targets of a piece, on the selected hex or anywhere. */
  fits(piece: Piece): boolean {
    if (this.hex) return this.isLegal(this.laying(piece, this.hex));
    if (piece.kind === 'die') return this.table.offers('BookSeat').some((offer) => offer.die === piece.die);
    return this.table.offers('ClaimSeat').some((offer) => offer.tile === piece.tile);
  }

  hasOffers(hex: string): boolean {
    return [...this.table.offers('BookSeat'), ...this.table.offers('ClaimSeat')].some((offer) => offer.hex === hex);
  }

  /** The certain points of an action for me, once previewed. */
  points(action: Action): number | undefined {
    return this.known.get(keyOf(action));
  }

  /** Actions whose points are shown in advance. */
  readonly weighed = $derived.by((): Action[] => {
    const performing = this.table.offers('PerformStage');
    if (performing.length) return performing;
    if (this.hex) return this.table.offers('BookSeat').filter((offer) => offer.hex === this.hex);
    return this.piece?.kind === 'die' ? [...this.targets.values()] : [];
  });

  async weigh(actions: Action[]): Promise<void> {
    const me = this.table.me;
    for (const action of actions) {
      if (me === null || this.known.has(keyOf(action))) continue;
      const view = this.table.view;
      const foreseen = await this.table.preview(action);
      if (view !== this.table.view) return;
      if (foreseen) this.known = new Map([...this.known, [keyOf(action), foreseen.points[me] ?? 0]]);
    }
  }

  /** Drop the points of another position. */
  forget(): void {
    this.known = new Map();
  }

  show(scene: Scene | null): void {
    this.acted = scene && { since: this.table.view, scene };
  }

  apply(event: Event): void {
    const gains = event.type === 'MajorityScored' && !this.ending ? [] : this.gains; // the final scoring is not part of the last stage
    this.ending = event.type === 'MajorityScored';
    const before = this.scores;
    const acts = event.type === 'SeatClaimed' || event.type === 'SeatBooked';
    this.animated = { since: this.table.view, view: advance(this.view, event) };
    const points = before.map((score, seat) => {
      const others = acts && event.seat === seat ? 0 : (gains[seat] ?? 0);
      return others + this.score(seat) - score;
    });
    this.gained = { points, scores: this.scores };
  }

  private hold(choice: Omit<Picked, 'view'>): void {
    this.table.cancel();
    this.picked = { view: this.table.view, ...choice };
  }

  private findTargets(): Map<string, Action> {
    const { piece } = this;
    if (piece?.kind === 'die') {
      return new Map(
        this.table.offers('BookSeat').flatMap((offer) => (offer.die === piece.die ? [[offer.hex, offer]] : [])),
      );
    }
    if (piece?.kind === 'tile') return this.claims(piece.tile);
    return this.performances();
  }

  private claims(tile: string): Map<string, Action> {
    const down = tile !== 'basic' && this.faceDown;
    const fitting = (offer: Claim): boolean => offer.tile === tile && !!offer.face_down === down;
    return new Map(this.table.offers('ClaimSeat').flatMap((offer) => (fitting(offer) ? [[offer.hex, offer]] : [])));
  }

  private performances(): Map<string, Action> {
    const spaces = (letter: string): string[] => this.stages.get(letter)?.spaces ?? [];
    return new Map(
      this.table
        .offers('PerformStage')
        .flatMap((offer) => spaces(offer.stage).map((hex): [string, Action] => [hex, offer])),
    );
  }
}
