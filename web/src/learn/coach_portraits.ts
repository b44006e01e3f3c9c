/** The coaches' portraits, one per game folder; optional. */
import { own } from '$lib/own_property';
import { injectSprite } from '$lib/components/sprite';

const PORTRAITS = import.meta.glob<string>('../../../src/jamboree/games/*/web/shell/coach.svg', {
  query: '?raw',
  import: 'default',
});

export async function drawCoach(game: string): Promise<void> {
  const portrait = await own(PORTRAITS, `../../../src/jamboree/games/${game}/web/shell/coach.svg`)?.();
  if (portrait) injectSprite(portrait);
}
