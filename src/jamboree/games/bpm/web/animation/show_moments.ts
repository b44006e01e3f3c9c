/** Full-table animations: the Drop, a combo, the quest reveal. Without motion each is a still picture. */
import { tick } from 'svelte';
import type { Seat } from '$lib/contract';
import type { BpmModel } from '../model/model.svelte';
import type { BpmScene, EventOf, View } from '../model/wire';

export interface Showing {
  scene: BpmScene;
  club: BpmModel;
}

const COUNT = 500;
const FLIP = 900;
const PASS = 900;
const READ = 1500; // a line or two
const LOOK = 3500; // ms to show all songs in order

/** Count down over face-down cards. */
export async function countDown({ songs }: EventOf<'SongsDropped'>, { scene, club }: Showing): Promise<void> {
  if (scene.animated) scene.sound('riser');
  for (let count = 3; count && scene.animated; count--) {
    club.drop = { songs, count, order: null, passed: false };
    await scene.wait(left(scene, (4 - count) * COUNT, COUNT), true);
  }
}

export async function flipOver({ songs }: EventOf<'SongsDropped'>, { scene, club }: Showing): Promise<void> {
  club.drop = { songs, count: 0, order: null, passed: false };
  if (scene.animated) scene.sound('drop');
  await scene.wait(FLIP, true);
}

/** Remaining time of a beat of the Drop; at a party relative to the common moment, so a late device catches up. */
function left({ due }: BpmScene, until: number, usual: number): number {
  return due == null ? usual : Math.min(usual, Math.max(0, due + until - performance.now()));
}

/** Move each song to the player on the left. */
export async function passOn({ songs }: EventOf<'SongsPassed'>, { scene, club }: Showing): Promise<void> {
  await scene.pauseToRead(READ);
  club.drop = { songs, count: 0, order: null, passed: true };
  await tick();
  const cards = songs.map((_, seat) => scene.elementAt(`drop-${seat}`));
  const from = (seat: Seat): Element | null => cards[before(seat, songs.length)] ?? null;
  if (scene.animated) scene.sound('swap');
  await Promise.all(cards.map((card, seat) => scene.animate(card, between(from(seat), card), PASS)));
  await scene.pauseToRead(READ);
}

export async function lineUp({ order }: EventOf<'OrderFound'>, { scene, club }: Showing): Promise<void> {
  if (club.drop) {
    club.drop = { ...club.drop, order };
    await scene.pauseToRead(LOOK);
  }
  club.drop = null;
}

/** Highlight the line with its points. */
export async function comboShines(
  { seat, cells, superfans }: EventOf<'ComboScored'>,
  { scene, club }: Showing,
): Promise<void> {
  scene.sound('combo');
  club.combo = { seat, cells, points: superfans.length * worth(scene.after, seat) };
  await scene.pauseToRead(READ);
  club.combo = null;
}

/** Reveal the quests one after another, with the matching superfans. */
export async function questsOpen({ quests }: EventOf<'QuestsRevealed'>, { scene, club }: Showing): Promise<void> {
  const points = scene.after.points.map((one) => one.quest);
  for (const seat of quests.keys()) {
    club.reveal = { quests, points, open: scene.animated ? seat + 1 : quests.length };
    if (scene.animated) scene.sound(points[seat] ? 'superfan' : 'token');
    await scene.wait(READ, true);
  }
  await scene.pauseToRead(LOOK);
  club.reveal = null;
}

/** The points of one superfan. */
function worth({ points, superfans }: View, seat: Seat): number {
  return (points[seat]?.superfans ?? 0) / (superfans[seat]?.length || 1);
}

/** Owner of the song that a player plays when songs pass to the left. */
export function before(seat: Seat, seats: number): Seat {
  return (seat + seats - 1) % seats;
}

function between(from: Element | null, to: Element | null): Keyframe[] {
  const [a, b] = [from?.getBoundingClientRect(), to?.getBoundingClientRect()];
  const zoom = (to as { currentCSSZoom?: number } | null)?.currentCSSZoom ?? 1; // of a big screen
  const far = a && b ? `${(a.left - b.left) / zoom}px ${(a.top - b.top) / zoom}px` : '0px 0px';
  return [{ translate: far }, { translate: '0px 0px' }];
}
