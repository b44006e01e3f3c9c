/** The cached files of one build, complete or absent. */
import { BUILD_CACHE_PREFIX, TEXT_CACHE_PREFIX } from '../worker_protocol';

const AT_ONCE = 6; // files that are fetched side by side, so that a game on the same line does not wait

/** Fetch all that a build is made of. A page of another build ends it: the next attempt is made with the next worker. */
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

/** What the build has put into its page. */
export function buildOf(page: string): string {
  return /<meta name="build" content="(\w+)"/.exec(page)?.[1] ?? '';
}

/** Drop what belongs to other builds; replays that somebody keeps stay. */
export async function tidy(own: string[]): Promise<void> {
  const names = await caches.keys();
  const old = names.filter(
    (name) => (name.startsWith(BUILD_CACHE_PREFIX) || name.startsWith(TEXT_CACHE_PREFIX)) && !own.includes(name),
  );
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** A file that is named by its contents may come from an earlier build. */
async function keep(cache: Cache, file: string): Promise<void> {
  const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
  await cache.put(file, known ?? (await fetched(file)));
}

async function fetched(file: string): Promise<Response> {
  const answer = await fetch(file, { cache: file.startsWith('/assets/') ? 'default' : 'no-cache' });
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer;
}
