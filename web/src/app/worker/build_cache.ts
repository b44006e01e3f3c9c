/** The cached files of one build, complete or absent. */
import { BUILD_CACHE_PREFIX, TEXT_CACHE_PREFIX } from '../worker_protocol';

const AT_ONCE = 6; // parallel fetches, few enough not to delay a running game

/** Cache all files of a build; fails if the page has another build. */
export async function install(build: string, files: string[]): Promise<void> {
  const cache = await caches.open(BUILD_CACHE_PREFIX + build);
  const page = await fetched('/');
  if (buildOf(await page.clone().text()) !== build) throw new Error('the server has another build by now');
  await cache.put('/', page);
  const waiting = [...files];
  const fetchNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await keep(cache, file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
}

/** The build id in a page. */
export function buildOf(page: string): string {
  return /<meta name="build" content="(\w+)"/.exec(page)?.[1] ?? '';
}

/** Delete caches of other builds; stored replays stay. */
export async function tidy(own: string[]): Promise<void> {
  const names = await caches.keys();
  const old = names.filter(
    (name) => (name.startsWith(BUILD_CACHE_PREFIX) || name.startsWith(TEXT_CACHE_PREFIX)) && !own.includes(name),
  );
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** A file with a content hash may be copied from an earlier build. */
async function keep(cache: Cache, file: string): Promise<void> {
  const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
  await cache.put(file, known ?? (await fetched(file)));
}

async function fetched(file: string): Promise<Response> {
  const answer = await fetch(file, { cache: file.startsWith('/assets/') ? 'default' : 'no-cache' });
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer;
}
