/** Animation of each event: dancers move, songs play, points rise. */
import { tick } from 'svelte';
import type { Seat } from '$lib/contract';
import type { BpmModel } from '../model/model.svelte';
import { centre, PITCH, row } from '../board/geometry';
import type { Piece } from '../model/pieces';
import { tokenOf } from '../model/tokens';
import type { BpmScene, BpmTable, Cell, Dancer, Event, EventOf } from '../model/wire';
import { comboShines, countDown, flipOver, lineUp, passOn, questsOpen, type Showing } from './show_moments';

interface StepScene extends Showing {
  before: Piece[]; // where everybody stood
}
type Part<K extends Event['type']> = (event: EventOf<K>, on: StepScene) => Promise<unknown>;

/** Animations before and after an event is applied to the view. */
interface Story<K extends Event['type']> {
  first?: Part<K>;
  then?: Part<K>;
}

const MOVE = 360;

const ANIMATIONS: { [K in Event['type']]?: Story<K> } = {
  HypeRevealed: { then: hypeTurns },
  BallMoved: { then: ballRolls },
  BallPlaced: { then: (_, { scene }) => scene.pulse(scene.elementAt('ball')) },
  SongCued: { then: ({ seat }, { scene }) => scene.pulse(scene.elementAt(`cue-${seat}`)) },
  SongsDropped: { first: countDown, then: flipOver },
  SongsPassed: { then: passOn },
  OrderFound: { then: lineUp },
  FloorShifted: { then: travel },
  DancersSwapped: { then: travel },
  FloorFilled: { then: travel },
  TokenPlaced: { first: tokenLands },
  TokenRecovered: { first: ({ seat, cell }, on) => on.scene.fly(tokenOf(seat), spot(on, cell), home(on, seat), 36) },
  DancerLeft: {
    first: ({ cell, dancer }, on) => on.scene.fly(figure(dancer), spot(on, cell), on.scene.elementAt('pile'), 60),
  },
  BallCaught: { then: ({ seat, dancer }, on) => joins(on, seat, dancer, on.scene.elementAt('ball')) },
  BonusScored: { first: ({ seat, cell, dancer }, on) => joins(on, seat, dancer, spot(on, cell)) },
  ComboScored: { first: comboLeaves },
  QuestsRevealed: { then: questsOpen },
};

export async function animate(event: Event, scene: BpmScene, _: BpmTable, club: BpmModel): Promise<void> {
  const animation = ANIMATIONS[event.type] as Story<Event['type']> | undefined;
  const on = { scene, club, before: club.pieces };
  await animation?.first?.(event, on);
  club.play(event, scene.before, scene.after);
  await tick();
  await animation?.then?.(event, on);
}

const figure = (dancer: Dancer): string => `dancer-${dancer.colour}`;
const spot = ({ scene }: StepScene, cell: Cell): Element | null => scene.elementAt(`cell-${cell}`);
const home = ({ scene }: StepScene, seat: Seat): Element | null => scene.elementAt(`seat-${seat}`);

async function hypeTurns(_: EventOf<'HypeRevealed'>, { scene }: StepScene): Promise<void> {
  scene.sound(scene.after.bends.includes('breaks') ? 'stop' : 'hype');
  const turned = [{ transform: 'perspective(600px) rotateY(90deg)' }, { transform: 'perspective(600px) rotateY(0)' }];
  await scene.animate(scene.elementAt('hype'), turned, 450);
  await scene.wait(500);
}

async function ballRolls({ cell, to }: EventOf<'BallMoved'>, { scene }: StepScene): Promise<void> {
  const path = [
    { translate: offset(cell, to), rotate: '-180deg' },
    { translate: '0px 0px', rotate: '0deg' },
  ];
  await scene.animate(scene.elementAt('ball'), path, 600);
}

/** Move each dancer from its old cell; newcomers enter from the back. */
async function travel(event: Event, { scene, club, before }: StepScene): Promise<void> {
  const stood = new Map(before.map((one) => [one.id, one.cell]));
  if (event.type === 'DancersSwapped') scene.sound('swap');
  const moves = club.pieces.flatMap((one) => {
    const from = stood.get(one.id);
    if (from === one.cell) return [];
    const path = from ? journey(from, one.cell) : entrance(one, club.view.rows);
    return [`tile-${one.id}`, `dancer-${one.id}`].map((part) => scene.animate(scene.elementAt(part), path, MOVE));
  });
  await Promise.all(moves);
}

/** A straight path to a neighbour, an arc over a dancer in between. */
function journey(from: Cell, to: Cell): Keyframe[] {
  const [a, b] = [centre(from), centre(to)];
  const hops = Math.hypot(b.x - a.x, b.y - a.y) > PITCH * 1.5;
  const half = `${(a.x - b.x) / 2 + (a.x === b.x ? 46 : 0)}px ${(a.y - b.y) / 2 - (a.y === b.y ? 46 : 0)}px`;
  const path: Keyframe[] = [{ translate: offset(from, to) }, { translate: '0px 0px' }];
  return hops ? [path[0]!, { translate: half, scale: '1.12' }, path[1]!] : path;
}

function entrance(one: Piece, rows: number): Keyframe[] {
  const distance = (rows - row(one.cell)) * PITCH;
  return [
    { translate: `0px ${distance}px`, opacity: 0 },
    { translate: '0px 0px', opacity: 1 },
  ];
}

/** CSS translation from one cell to another. */
function offset(from: Cell, to: Cell): string {
  const [a, b] = [centre(from), centre(to)];
  return `${a.x - b.x}px ${a.y - b.y}px`;
}

async function tokenLands({ owner, cell }: EventOf<'TokenPlaced'>, on: StepScene): Promise<void> {
  await on.scene.fly(tokenOf(owner), home(on, owner), spot(on, cell), 36);
  on.scene.sound('token');
}

async function joins(on: StepScene, seat: Seat, dancer: Dancer, from: Element | null): Promise<void> {
  on.scene.sound('superfan');
  await Promise.all([
    on.scene.fly(figure(dancer), from, home(on, seat), 56),
    on.scene.floatPoints('★', home(on, seat)),
  ]);
}

/** Highlight the line, then move all but the remaining fan to the player's booth. */
async function comboLeaves(event: EventOf<'ComboScored'>, on: StepScene): Promise<void> {
  await comboShines(event, on);
  const { seat, cells, kept, superfans } = event;
  const leaving = cells.filter((cell) => cell !== kept);
  const flights = leaving.map((cell, at) => on.scene.fly(figure(superfans[at]!), spot(on, cell), home(on, seat), 56));
  await Promise.all([...flights, on.scene.floatPoints(`★ ${leaving.length}`, home(on, seat))]);
}
