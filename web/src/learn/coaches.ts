/** The coaches' portraits, each in its game's folder; a game may have none. */
import { own } from '$lib/own';
import { inject } from '$lib/parts/sprite';

const PORTRAITS = import.meta.glob<string>('../../../src/jamboree/games/*/web/shell/coach.svg', {
  query: '?raw',
  import: 'default',
});

export async function drawCoach(game: string): Promise<void> {
  const portrait = await own(PORTRAITS, `../../../src/jamboree/games/${game}/web/shell/coach.svg`)?.();
  if (portrait) inject(portrait);
}
