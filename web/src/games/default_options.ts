/** Default options of a table among friends. */
import { own } from '$lib/own_property';

type Options = Record<string, unknown>;

const FRIENDS = import.meta.glob<Options>('../../../src/jamboree/games/*/web/shell/friends.json', {
  import: 'default',
});

export async function amongFriends(game: string): Promise<Options> {
  return (await own(FRIENDS, `../../../src/jamboree/games/${game}/web/shell/friends.json`)?.()) ?? {};
}
