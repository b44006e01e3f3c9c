/** The faces of the games: each is fetched with its sheet when its first table is opened. */
import type { Face } from '$lib/contract';
import { inject } from '$lib/sprite';

const FACES = import.meta.glob<Face>('../../src/jamboree/games/*/web/index.ts', { import: 'default' });

export async function openFace(game: string): Promise<Face> {
  const load = FACES[`../../src/jamboree/games/${game}/web/index.ts`];
  if (!load) throw new Error(`no face for ${game}`);
  const face = await load();
  inject(face.sheet);
  return face;
}
