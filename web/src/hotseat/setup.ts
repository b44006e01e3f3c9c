/** Opens a table for several people on this device, with the names and options used last. */
import { t } from '$lib/i18n.svelte';
import { isString, store, recallList } from '$lib/storage';
import { own } from '$lib/own_property';
import { settings } from '$lib/settings.svelte';
import { api, type GameCard } from '../net/api';
import { joinedTables } from '../net/joined_tables';
import type { Level } from '../net/wire';

type Options = Record<string, unknown>;

const KEY = 'jamboree.around';
const OPTIONS = import.meta.glob<Options>('../../../src/jamboree/games/*/web/shell/hotseat.json', {
  import: 'default',
});

/** The names used last; at least two inputs. */
export function lastNames(): string[] {
  const stored = recallList(KEY, isString);
  return stored.length > 1 ? stored : [settings.name, ''];
}

async function untimed(game: string): Promise<Options> {
  return (await own(OPTIONS, `../../../src/jamboree/games/${game}/web/shell/hotseat.json`)?.()) ?? {};
}

/** Seat everybody, fill the other seats with bots, and start. */
export async function openAround(
  game: GameCard,
  people: string[],
  seats: number,
  level: Level,
  options: Options,
): Promise<string> {
  store(KEY, people);
  const names = people.map((name, place) => name.trim() || t('hotseat.player', { number: place + 1 }));
  const others = Array.from({ length: seats - names.length }, (_, place) => [String(names.length + place), level]);
  const { table } = await api.open({
    game: game.key,
    seats,
    name: names[0]!,
    listed: false,
    options: { ...options, ...(await untimed(game.key)) },
    pace: settings.pace,
    bots: Object.fromEntries(others) as Record<string, Level>,
  });
  for (const name of names.slice(1)) await api.join(table, { name, beside: true });
  await api.start(table);
  joinedTables.remember(table, game.key);
  return table;
}
