/** Maps events and actions to places on the floor (`data-at`). */
import { expandPlaces } from '$lib/components/screen_positions';
import type { BpmModel } from './model.svelte';
import type { Action, Event } from './wire';

const PLACES: Partial<Record<Event['type'], string[]>> = {
  HypeRevealed: ['hype'],
  SongCued: ['seat-{seat}'],
  FloorShifted: ['hype'],
  BallMoved: ['ball'],
  BallPlaced: ['ball'],
  OrderFound: ['cue-{order}'],
  SongStarted: ['cue-{seat}'],
  TokenRecovered: ['cell-{cell}'],
  DancersSwapped: ['cell-{cell}', 'cell-{other}'],
  DancerLeft: ['cell-{cell}'],
  TokenPlaced: ['cell-{cell}'],
  BallCaught: ['ball', 'cell-{fans}'],
  BonusScored: ['cell-{cell}'],
  ComboScored: ['cell-{cells}'],
  QuestsRevealed: ['quest'],
};

export function places(event: Event): string[] {
  if (event.type === 'FloorFilled') return event.newcomers.map(({ cell }) => `cell-${cell}`);
  if (event.type === 'SongsDropped') return event.songs.map((_, seat) => `cue-${seat}`);
  return expandPlaces(PLACES[event.type] ?? [], event);
}

const TARGETS: Partial<Record<Action['type'], string[]>> = {
  SwapDancers: ['cell-{cell}', 'cell-{other}'],
  SendOnBreak: ['cell-{cell}'],
  PlaceToken: ['cell-{cell}'],
  RecoverToken: ['cell-{cell}'],
  MakeSuperfan: ['cell-{cell}'],
  KeepFan: ['cell-{cell}'],
};
const OWN_TARGETS: Partial<Record<Action['type'], string[]>> = {
  DiscardSongs: ['song-{first}', 'song-{second}'],
  CueSong: ['song-{slot}'],
};

/** Places of a seat's action; songs are visible to their holder only. */
export function targets(action: Action, { table }: BpmModel, seat: number): string[] {
  const templates = TARGETS[action.type] ?? (seat === table.me ? OWN_TARGETS[action.type] : null) ?? [];
  return expandPlaces(templates, action);
}
