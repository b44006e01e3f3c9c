/** The options a table of friends begins with, where a game plays better among people than as it is by itself. */
type Options = Record<string, unknown>;

const FRIENDS = import.meta.glob<Options>('../../../src/jamboree/games/*/web/shell/friends.json', {
  import: 'default',
});

export async function amongFriends(game: string): Promise<Options> {
  const path = Object.keys(FRIENDS).find((one) => one.includes(`/games/${game}/`));
  return path ? FRIENDS[path]!() : {};
}
