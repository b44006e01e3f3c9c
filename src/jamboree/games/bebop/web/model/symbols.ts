/** The symbols of the sprite sheet that make up a piece. */
import { avatarOf } from '$lib/avatars.svelte';
import { CHAIRS, type KnownDie, type Token } from './wire';

const drawn = (feature: string): string => (feature === 'percussion' ? 'drum' : feature);

export const dieLayers = (die: KnownDie): string[] => [
  `die-${die.colour}`,
  ...(die.face ? [`face-${drawn(die.face)}`] : []),
];
export const tokenSymbol = (token: Token): string => `tok-${token.star ? 'star-' : ''}${drawn(token.feature)}`;
export const featureSymbol = (feature: string): string => `tok-${drawn(feature)}`;
export const chairOf = (seat: number): string => CHAIRS[avatarOf(seat)] ?? 'neutral';
export const pieceSymbol = (tile: string, faceDown: boolean): string =>
  tile === 'basic' || faceDown ? 'chair' : `sp-${tile}`;

const FESTIVALS = ['vanillaville', 'cramped-valley', 'longchain', 'point-city'];

/** The festival whose art is used; a custom board uses the first one's. */
export const festivalArt = (board: string): string => (FESTIVALS.includes(board) ? board : FESTIVALS[0]!);
