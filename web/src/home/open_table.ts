/** Opens a table as its poster says: against bots at once, or for friends. */
import { t } from '$lib/i18n.svelte';
import { go } from '$lib/router.svelte';
import { settings } from '$lib/settings.svelte';
import { amongFriends } from '../games/default_options';
import { api, type GameCard } from '../net/api';
import { playBots } from '../net/bot_table';
import { joinedTables } from '../net/joined_tables';
import { botGameSettings } from './bot_game_settings.svelte';

export async function openAgainstBots(game: GameCard): Promise<void> {
  const { level, count } = botGameSettings.opponents(game);
  await playBots({ game: game.key, seats: count + 1, level, options: botGameSettings.of(game).options });
}

export async function openForFriends(game: GameCard): Promise<void> {
  const { table } = await api.open({
    game: game.key,
    seats: botGameSettings.of(game).seats,
    name: settings.name || t('guest'),
    listed: false,
    options: await amongFriends(game.key),
    pace: settings.pace,
  });
  joinedTables.remember(table, game.key);
  go('t', table);
}
