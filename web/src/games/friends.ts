/** The options a table of friends begins with, where a game plays better among people than as it is by itself. */
import { own } from '$lib/own';

type Options = Record<string, unknown>;

const FRIENDS = import.meta.glob<Options>('../../../src/jamboree/games/*/web/shell/friends.json', {
  import: 'default',
});

export async function amongFriends(game: string): Promise<Options> {
  return (await own(FRIENDS, `../../../src/jamboree/games/${game}/web/shell/friends.json`)?.()) ?? {};
}
