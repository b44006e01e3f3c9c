/** Where events took place on the floor. */
import { named } from '$lib/parts/places';
import type { Club } from './model.svelte';
import type { Event } from './wire';

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
  return named(PLACES[event.type] ?? [], event);
}

/** Cells that a sentence names, and songs of my hand. */
export function mentioned(text: string, { laid }: Club): string[] {
  const cells = [...text.matchAll(/\b[a-z]\d\b/g)].map(([cell]) => `cell-${cell}`);
  const songs = laid.filter(({ song }) => text.includes(`“${song.title}”`)).map(({ slot }) => `song-${slot}`);
  return [...new Set([...cells, ...songs])];
}
