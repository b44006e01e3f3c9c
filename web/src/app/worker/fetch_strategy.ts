/** Fetch strategy: network first; only files with a content hash in their name come from the cache first. */
import { isNamedByContent } from './build_cache';
import { BUILD_CACHE_PREFIX, CACHED_HEADER, REPLAY_CACHE, TEXT_CACHE_PREFIX } from '../worker_protocol';

const TEXT = /^api\/v1\/games(\/[\w-]+\/(rules|lessons))?$/;
const REPLAY = /^api\/v1\/tables\/[\w-]+(\/(log|replay|paintings))?$/;
const AWAY = [502, 503, 504]; // status codes of a proxy without its server
const LOOSE = /^([\w.-]+\.(svg|png|webmanifest))?$/; // the page and its neighbours

type Answer = Promise<Response>;

/** Respond to a request of the page in a folder, or leave it to the browser. */
export function answerOf(request: Request, build: string, folder: string): Answer | null {
  if (request.method !== 'GET' || !request.url.startsWith(folder)) return null;
  const { origin, pathname } = new URL(request.url);
  const path = (origin + pathname).slice(folder.length);
  if (isNamedByContent(path)) return hashed(request, BUILD_CACHE_PREFIX + build);
  if (LOOSE.test(path)) return fromServer(request, BUILD_CACHE_PREFIX + build, folder + path);
  if (TEXT.test(path)) return text(request, TEXT_CACHE_PREFIX + build);
  if (REPLAY.test(path)) return fromServer(request, REPLAY_CACHE, request.url);
  return null;
}

async function hashed(request: Request, name: string): Answer {
  return (await held(name, request.url)) ?? fetch(request);
}

/** Network first, then the cache. */
async function fromServer(request: Request, name: string, key: string): Answer {
  const answer = await fetch(request).catch(() => null);
  if (answer && !isAway(answer)) return answer;
  const known = await held(name, key);
  return known ? marked(known) : (answer ?? Response.error());
}

/** Cache texts as last read. They are read here: a page that leaves in the middle must not keep this worker busy. */
async function text(request: Request, name: string): Answer {
  const answer = await fromServer(request, name, request.url);
  if (!answer.ok || answer.headers.has(CACHED_HEADER)) return answer;
  const body = await answer.arrayBuffer();
  const copy = (): Response => new Response(body, { status: answer.status, headers: answer.headers });
  await (await caches.open(name)).put(request.url, copy());
  return copy();
}

/** The server's own errors are JSON; other responses with these statuses come from a proxy. */
function isAway({ status, headers }: Response): boolean {
  return AWAY.includes(status) && !headers.get('content-type')?.includes('json');
}

/** Look into a cache without creating it: the caches of an old build stay deleted while its worker ends. */
async function held(name: string, key: string): Promise<Response | undefined> {
  return caches.match(key, { cacheName: name, ignoreVary: true });
}

/** Mark a cached response for the page. */
function marked(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.set(CACHED_HEADER, '1');
  return new Response(answer.body, { status: answer.status, headers });
}
