/** Rules and lessons in the reader's language are fetched ahead, so that they can be read without the server. */
import type { Language } from '$lib/i18n.svelte';
import { API } from '../net/where';
import { TEXTS } from './names';
import { version } from './version.svelte';

const GAMES = `${API}/games`;

/** Fetch what this build has not read yet; the worker keeps it on its way. */
export async function keepTexts(language: Language): Promise<void> {
  if (!version.own || !navigator.serviceWorker?.controller) return;
  try {
    const cache = await caches.open(TEXTS + version.own);
    const games = (await (await fetch(GAMES)).json()) as { key: string; lessons: number }[];
    for (const url of games.flatMap((game) => texts(game, language)))
      if (!(await cache.match(url, { ignoreVary: true }))) await fetch(url);
  } catch {
    // The server is away; what has been read is kept.
  }
}

function texts({ key, lessons }: { key: string; lessons: number }, language: Language): string[] {
  const kinds = lessons ? ['rules', 'lessons'] : ['rules'];
  return kinds.map((kind) => `${GAMES}/${key}/${kind}?language=${language}`);
}
