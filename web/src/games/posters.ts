/** The posters that games bring along; each is fetched by the first page that hangs it. */
import { own } from '$lib/own';
import { inject } from '$lib/parts/sprite';

const POSTERS = import.meta.glob<string>('../../../src/jamboree/games/*/web/shell/poster.svg', {
  query: '?raw',
  import: 'default',
});

/** Whether a game has a poster of its own; if so, it is put into the page. */
export function hang(game: string): boolean {
  const load = own(POSTERS, `../../../src/jamboree/games/${game}/web/shell/poster.svg`);
  void load?.().then(inject);
  return load !== undefined;
}
