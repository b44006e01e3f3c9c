/** Prefetches rules and lessons in the reader's language, so that they can be read offline. */
import type { Language } from '$lib/i18n.svelte';
import { apiUrl, request, type Url } from '$lib/urls';
import { TEXT_CACHE_PREFIX } from './worker_protocol';
import { version } from './version.svelte';

/** Fetch texts that this build has not fetched yet; the worker caches them. */
export async function keepTexts(language: Language): Promise<void> {
  if (!version.own || !navigator.serviceWorker?.controller) return;
  try {
    const cache = await caches.open(TEXT_CACHE_PREFIX + version.own);
    const games = (await (await request(apiUrl(['games']))).json()) as { key: string; lessons: number }[];
    for (const url of games.flatMap((game) => texts(game, language)))
      if (!(await cache.match(url, { ignoreVary: true }))) await request(url);
  } catch {
    // The server is unreachable; cached texts stay.
  }
}

function texts({ key, lessons }: { key: string; lessons: number }, language: Language): Url[] {
  const kinds = lessons ? ['rules', 'lessons'] : ['rules'];
  return kinds.map((kind) => apiUrl(['games', key, kind], { language }));
}
