/** The visible pile of each jump: owners and kinds of cards in order, including my own pending plays. */
import type { Seat } from '$lib/contract';
import { isCharacter, sameJump } from '../model/cards';
import type { Ghost } from '../hand/card_plays.svelte';
import type { Jump, Laid } from '../model/wire';

export interface Count {
  seat: Seat;
  characters: number;
  jumpcards: number;
}

export function pileOn(jump: Jump, plays: readonly Laid[], flying: readonly Ghost[], me: Seat | null): Laid[] {
  const laid = plays.filter((one) => sameJump(one.jump, jump));
  const ghosts = flying.filter((ghost) => sameJump(ghost.jump, jump));
  return [...laid, ...ghosts.map(({ card }) => ({ seat: me!, jump, character: isCharacter(card), late: false, card }))];
}

/** Card counts by player and kind. */
export function countsOf(pile: readonly Laid[]): Count[] {
  return [...new Set(pile.map((laid) => laid.seat))].map((seat) => {
    const own = pile.filter((laid) => laid.seat === seat);
    const characters = own.filter((laid) => laid.character).length;
    return { seat, characters, jumpcards: own.length - characters };
  });
}
