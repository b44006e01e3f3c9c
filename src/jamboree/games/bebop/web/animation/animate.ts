/** Animation of each event: pieces fly, counting dice are highlighted, points rise from them, a stage performs. */
import { tick } from 'svelte';
import type { Scene } from '$lib/contract';
import type { BebopModel } from '../model/model.svelte';
import { counted, performed, QUIET } from './scene_captions';
import { BASS } from './sounds';
import { chairOf, dieLayers, pieceSymbol, tokenSymbol } from '../model/symbols';
import type { Die, Event, Table, EventOf, View } from '../model/wire';

type Animation<T extends Event['type']> = (event: EventOf<T>, scene: Scene<View>, model: BebopModel) => Promise<void>;

const LIFT: Keyframe[] = [{ translate: '0 0' }, { translate: '0 -9px', offset: 0.4 }, { translate: '0 0' }];
const GLOW: Keyframe[] = [{ opacity: 1 }, { opacity: 0.25, offset: 0.5 }, { opacity: 1 }];
const TUMBLE: Keyframe[] = [
  { rotate: '0deg', scale: 1 },
  { rotate: '400deg', scale: 1.15, offset: 0.6 },
  { rotate: '720deg', scale: 1 },
];

const GLIDE = 360; // ms to zoom in
const [ANNOUNCED, COUNTED, PAID] = [700, 600, 250]; // ms to read a caption, to see the dice, to see the points

const size = (place: Element | null, share: number): number => (place?.getBoundingClientRect().width ?? 44) * share;
const layers = (die: Die | null): string => (die ? dieLayers(die).join(' ') : 'die-back');

/** Where a player's pieces start and end: my hand, or the player's card. */
function home(scene: Scene<View>, model: BebopModel, seat: number, own: string): Element | null {
  const mine = seat === model.table.me ? scene.elementAt(own) : null;
  return mine ?? scene.elementAt(`dice-${seat}`) ?? scene.elementAt(`sign-${seat}`) ?? scene.elementAt(`seat-${seat}`);
}

function slot(model: BebopModel, seat: number, die: Die): string {
  const hand = model.view.hands[seat]?.dice ?? [];
  return `hand-${hand.findIndex((one) => one.colour === die.colour && one.face === die.face)}`;
}

const lastSlot = (model: BebopModel, seat: number): string => `hand-${(model.view.hands[seat]?.count ?? 1) - 1}`;

/** Zoom in on an animation if hexes are too small to see it. */
async function comeTo(hex: string, scene: Scene<View>, model: BebopModel): Promise<void> {
  if (!model.tiny || !scene.animated) return;
  model.follow(hex);
  await tick();
  await scene.wait(GLIDE);
}

const SeatClaimed: Animation<'SeatClaimed'> = async ({ seat, tile, hex, face_down }, scene, model) => {
  await comeTo(hex, scene, model);
  const to = scene.elementAt(`hex-${hex}`);
  const from = seat === model.table.me ? scene.elementAt(`supply-${tile}`) : scene.elementAt(`sign-${seat}`);
  const drawing = `seat-${chairOf(seat)} ${pieceSymbol(tile, face_down)}`;
  await scene.fly(drawing, from ?? scene.elementAt(`seat-${seat}`), to, size(to, 1));
  scene.sound('seat');
  model.apply({ type: 'SeatClaimed', seat, tile, hex, face_down });
};

const SeatBooted: Animation<'SeatBooted'> = async (event, scene, model) => {
  const from = scene.elementAt(`hex-${event.hex}`);
  const drawing = `seat-${chairOf(event.owner)} ${pieceSymbol(event.tile, false)}`;
  model.apply(event);
  await scene.fly(
    drawing,
    from,
    scene.elementAt(`sign-${event.owner}`) ?? scene.elementAt(`seat-${event.owner}`),
    size(from, 1),
  );
};

const SeatBooked: Animation<'SeatBooked'> = async (event, scene, model) => {
  await comeTo(event.hex, scene, model);
  const to = scene.elementAt(`hex-${event.hex}`);
  await scene.fly(
    layers(event.die),
    home(scene, model, event.seat, slot(model, event.seat, event.die)),
    to,
    size(to, 0.55),
  );
  scene.sound('die');
  model.apply(event);
};

/** Highlight dice one after another, with a bass note each. */
async function lift(hexes: string[], scene: Scene<View>): Promise<void> {
  for (const [note, hex] of hexes.entries()) {
    void scene.animate(scene.elementAt(`die-${hex}`), LIFT, 260);
    scene.sound(`bass-${note % BASS}`);
    await scene.wait(60);
  }
}

const FamilyScored: Animation<'FamilyScored'> = async (event, scene, model) => {
  const { seat, die, matching, points } = event;
  const score = scene.elementAt(`points-${seat}`);
  await lift(matching, scene);
  model.apply(event);
  const risen = scene.floatPoints(`+${points}`, scene.elementAt(`die-${matching.at(-1)}`), score);
  await scene.animate(scene.elementAt(`family-${die.colour}`), GLOW, 360);
  await risen;
};

const BannerMoved: Animation<'BannerMoved'> = async (event, scene, model) => {
  const from = scene.elementAt(`banner-${event.colour}`) ?? scene.elementAt('track');
  scene.sound('banner');
  await scene.fly(`banner-${event.colour}`, from, scene.elementAt(`hex-${event.family[0]}`), 30);
  model.apply(event);
};

const StagePerformed: Animation<'StagePerformed'> = async ({ stage }, scene, model) => {
  model.playing = stage;
  model.follow(null); // the whole board is the audience
  model.show({ ...QUIET, title: model.table.t('web.scene.stage', { stage }) });
  scene.sound('stage');
  await scene.pauseToRead(ANNOUNCED);
};

const FeatureScored: Animation<'FeatureScored'> = async (event, scene, model) => {
  const { token, stage, winners, points, token_to, listeners } = event;
  const stageState = model.stages.get(stage);
  const place = stageState?.tokens.findIndex((one) => one.feature === token.feature && one.star === token.star) ?? -1;
  const from = scene.elementAt(`token-${stageState?.spaces[place]}`);
  void scene.pulse(from);
  model.show(performed(model, event));
  await lift(
    winners.flatMap((seat) => listeners[seat] ?? []),
    scene,
  );
  await scene.pauseToRead(COUNTED);
  scene.sound('token');
  const rises = winners.map((seat) => scene.floatPoints(`+${points}`, from, scene.elementAt(`points-${seat}`)));
  const target =
    token_to === null ? null : (scene.elementAt(`tokens-${token_to}`) ?? scene.elementAt(`sign-${token_to}`));
  await Promise.all([...rises, scene.fly(tokenSymbol(token), from, target, size(from, 1))]);
  model.apply(event);
  model.show(performed(model, event, true));
  void scene.pulse(scene.elementAt(`rating-${token.feature}`));
  if (model.stages.get(stage)?.tokens.length) return;
  await scene.pauseToRead(COUNTED);
  model.playing = null;
  model.show(null);
};

const DieTaken: Animation<'DieTaken'> = async (event, scene, model) => {
  const from = scene.elementAt(`queue-${event.place}`);
  await scene.fly(layers(event.die), from, home(scene, model, event.seat, lastSlot(model, event.seat)), 44);
  scene.sound('die');
  model.apply(event);
};

const QueueRefilled: Animation<'QueueRefilled'> = async (event, scene, model) => {
  const to = scene.elementAt(`queue-${event.place}`);
  await scene.fly(layers(event.die), scene.elementAt('bag'), to, size(to, 0.9));
  model.apply(event);
};

const DieDrawn: Animation<'DieDrawn'> = async (event, scene, model) => {
  scene.sound('roll');
  await scene.fly(
    layers(event.die),
    scene.elementAt('bag'),
    home(scene, model, event.seat, lastSlot(model, event.seat)),
    44,
  );
  model.apply(event);
};

const DieRerolled: Animation<'DieRerolled'> = async (event, scene, model) => {
  scene.sound('roll');
  const place = event.before ? slot(model, event.seat, event.before) : '';
  const tumbling = scene.animate(home(scene, model, event.seat, place), TUMBLE, 400);
  await scene.wait(240); // the new face shows while it still rolls
  model.apply(event);
  await tumbling;
};

const MajorityScored: Animation<'MajorityScored'> = async (event, scene, model) => {
  model.follow(null);
  const from = scene.elementAt(`banner-${event.colour}`);
  const shown = counted(model, event);
  model.show(shown);
  void scene.animate(scene.elementAt(`family-${event.colour}`), GLOW, 400);
  await lift(shown.winning, scene);
  await scene.pauseToRead(COUNTED);
  const paid = event.winners.filter((seat) => event.points[seat]);
  await Promise.all(
    paid.map((seat) => scene.floatPoints(`+${event.points[seat]}`, from, scene.elementAt(`points-${seat}`))),
  );
  model.apply(event);
  model.show(counted(model, event, true));
  await scene.pauseToRead(PAID);
};

const GameEnded: Animation<'GameEnded'> = async (_, scene, model) => {
  model.show(null);
  scene.sound('end');
};

const ANIMATIONS: { [T in Event['type']]?: Animation<T> } = {
  SeatClaimed,
  SeatBooted,
  SeatBooked,
  FamilyScored,
  BannerMoved,
  StagePerformed,
  FeatureScored,
  DieTaken,
  QueueRefilled,
  DieDrawn,
  DieRerolled,
  MajorityScored,
  GameEnded,
};

export async function animate(event: Event, scene: Scene<View>, _table: Table, model: BebopModel): Promise<void> {
  const animation = ANIMATIONS[event.type] as Animation<Event['type']> | undefined;
  await animation?.(event, scene, model);
}
