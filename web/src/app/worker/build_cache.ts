/** The cached files of one build, complete or absent. */
import { BUILD_CACHE_PREFIX, TEXT_CACHE_PREFIX } from '../worker_protocol';

const AT_ONCE = 6; // parallel fetches, few enough not to delay a running game

/** Cache all files of a build, in the folder of the page; fails if the page has another build. */
export async function install(build: string, files: string[], folder: string): Promise<void> {
  const cache = await caches.open(BUILD_CACHE_PREFIX + build);
  const page = await fetched(folder);
  if (buildOf(await page.clone().text()) !== build) throw new Error('the server has another build by now');
  await cache.put(folder, page);
  const waiting = [...files];
  const fetchNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift())
      await keep(cache, folder + file, isNamedByContent(file));
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
async function keep(cache: Cache, url: string, isHashed: boolean): Promise<void> {
  const known = isHashed ? await caches.match(url) : undefined;
  await cache.put(url, known ?? (await fetched(url, isHashed)));
}

/** Whether a file's path has a hash of its content. */
export const isNamedByContent = (file: string): boolean => /^(assets|tables-\w+)\//.test(file);

async function fetched(url: string, isHashed = false): Promise<Response> {
  const answer = await fetch(url, { cache: isHashed ? 'default' : 'no-cache' });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}
