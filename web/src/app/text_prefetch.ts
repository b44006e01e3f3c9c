/** Prefetches rules and lessons in the reader's language, so that they can be read offline. */
import type { Language } from '$lib/i18n.svelte';
import { apiUrl, request, type Url } from '$lib/urls';
import { alone } from '../page/page_server.svelte';
import { TEXT_CACHE_PREFIX } from './worker_protocol';
import { version } from './version.svelte';

/**
 * Fetch texts that this build has not fetched yet; the worker caches them. Bodies are read to their ends: until then the
 * worker is busy, and the worker of a newer build can't take over.
 */
export async function keepTexts(language: Language): Promise<void> {
  if (alone || !version.own || !navigator.serviceWorker?.controller) return;
  try {
    const cache = await caches.open(TEXT_CACHE_PREFIX + version.own);
    const games = (await (await request(apiUrl(['games']))).json()) as Texts[];
    for (const url of games.flatMap((game) => texts(game, language)))
      if (!(await cache.match(url, { ignoreVary: true }))) await (await request(url)).arrayBuffer();
  } catch {
    // The server is unreachable; cached texts stay.
  }
}

interface Texts {
  key: string;
  lessons: number;
  strategy: number;
}

function texts({ key, lessons, strategy }: Texts, language: Language): Url[] {
  const courses = [...(lessons ? ['basics'] : []), ...(strategy ? ['strategy'] : [])];
  const pages = courses.map((course) => apiUrl(['games', key, 'lessons'], { language, course }));
  return [apiUrl(['games', key, 'rules'], { language }), ...pages];
}
