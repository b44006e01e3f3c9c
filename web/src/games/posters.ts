/** Posters of the games, lazy-loaded by the first page. */
import { own } from '$lib/own_property';
import { injectSprite } from '$lib/components/sprite';

const POSTERS = import.meta.glob<string>('../../../src/jamboree/games/*/web/shell/poster.svg', {
  query: '?raw',
  import: 'default',
});

/** Whether a game has a poster of its own; if so, it is put into the page. */
export function loadPoster(game: string): boolean {
  const load = own(POSTERS, `../../../src/jamboree/games/${game}/web/shell/poster.svg`);
  void load?.().then(injectSprite);
  return load !== undefined;
}
