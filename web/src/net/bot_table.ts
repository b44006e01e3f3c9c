/** Opens a table against bots that starts at once. */
import { t } from '$lib/i18n.svelte';
import { go } from '$lib/router.svelte';
import { settings } from '$lib/settings.svelte';
import { api } from './api';
import { joinedTables } from './joined_tables';
import type { Level } from './wire';

export interface Wanted {
  game: string;
  seats: number;
  level: Level;
  options?: Record<string, unknown>;
}

/** Open such a table, go there, and return its code. */
export async function playBots({ game, seats, level, options = {} }: Wanted): Promise<string> {
  const bots = Object.fromEntries(Array.from({ length: seats - 1 }, (_, other) => [other + 1, level]));
  const { pace, name } = settings;
  const opening = { game, seats, name: name || t('guest'), listed: false, options, bots, start: true, pace };
  const { table } = await api.open(opening);
  joinedTables.remember(table, game);
  go('t', table);
  return table;
}
