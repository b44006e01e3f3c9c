/** The faces of the games: each is fetched with its sheet when its first table is opened. */
import type { Face } from '$lib/contract';
import { inject } from '$lib/sprite';

const FACES = import.meta.glob<Face>('../../src/jamboree/games/*/web/index.ts', { import: 'default' });

export async function openFace(game: string): Promise<Face> {
  const load = FACES[`../../src/jamboree/games/${game}/web/index.ts`];
  const face = load ? await load() : await without(game);
  inject(face.sheet);
  return face;
}

/** A game without a face can be looked at while one is being drawn, not in the built client. */
async function without(game: string): Promise<Face> {
  if (!import.meta.env.DEV) throw new Error(`no face for ${game}`);
  return (await import('./dev/plain')).plainFace(game);
}
