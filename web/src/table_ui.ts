/** Loads the table UI of a game, with its sprite sheet, when its first table is opened. */
import type { TableUi } from '$lib/contract';
import { own } from '$lib/own_property';
import { settings } from '$lib/settings.svelte';
import { injectSprite } from '$lib/components/sprite';

const TABLE_UIS = import.meta.glob<TableUi>('../../src/jamboree/games/*/web/index.ts', { import: 'default' });

function drawn(game: string): (() => Promise<TableUi>) | undefined {
  return own(TABLE_UIS, `../../src/jamboree/games/${game}/web/index.ts`);
}

/** Whether a game uses the plain table UI: by setting, or because it has no other. */
export function isPlain(game: string): boolean {
  return settings.plain || !drawn(game);
}

export async function loadTableUi(game: string): Promise<TableUi> {
  const own = await drawn(game)?.();
  const ui = own && !isPlain(game) ? own : (await import('./plain')).plainTableUi(game, own);
  injectSprite(ui.sheet);
  return ui;
}
