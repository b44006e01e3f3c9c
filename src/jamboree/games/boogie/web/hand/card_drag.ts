/** Drag and drop of a card from my hand to a jump. */
import type { Carrier } from '$lib/drag.svelte';
import type { Point } from '$lib/pointer';
import { jumpKey } from '../model/cards';
import type { Jump } from '../model/wire';
import type { CardPlays } from './card_plays.svelte';

export interface Held {
  card: string;
  place: number; // which of several equal ones
}

export function carrying(laying: CardPlays, jumps: () => readonly Jump[]): Carrier<Held> {
  const under = (at: Point): Jump | undefined => {
    const zone = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-jump]');
    return jumps().find((jump) => jumpKey(jump) === zone?.dataset.jump);
  };
  return {
    mayTake: () => laying.open,
    take: ({ card, place }) => laying.take(card, place),
    over(at) {
      const jump = under(at);
      laying.over = jump ? jumpKey(jump) : null;
    },
    put({ card }, at) {
      const jump = under(at);
      if (jump) laying.lay(card, jump);
      else laying.letGo();
    },
    letGo: () => laying.letGo(),
  };
}
