/** UI plugins of the games, each loaded with its sprite sheet when its first table is opened. */
import type { Face } from '$lib/contract';
import { own } from '$lib/own_property';
import { settings } from '$lib/settings.svelte';
import { inject } from '$lib/components/sprite';

const FACES = import.meta.glob<Face>('../../src/jamboree/games/*/web/index.ts', { import: 'default' });

function drawn(game: string): (() => Promise<Face>) | undefined {
  return own(FACES, `../../src/jamboree/games/${game}/web/index.ts`);
}

/** Whether a game is shown plainly: because the reader wants it so, or because nobody has drawn it yet. */
export function isPlain(game: string): boolean {
  return settings.plain || !drawn(game);
}

export async function openFace(game: string): Promise<Face> {
  const own = await drawn(game)?.();
  const face = own && !isPlain(game) ? own : (await import('./plain')).plainFace(game, own);
  inject(face.sheet);
  return face;
}
