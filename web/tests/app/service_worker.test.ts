import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildOf, install, tidy } from '../../src/app/worker/build_cache';
import { answerOf } from '../../src/app/worker/fetch_strategy';

const ORIGIN = 'https://jam.example';
const RULES = '/api/v1/games/bebop/rules?language=nl';
const REPLAY = '/api/v1/tables/abcdef/replay?changes=true';
const page = (build: string): string => `<meta name="build" content="${build}" />`;

/** What a browser keeps, by the name of each cache. */
let kept: Map<string, Map<string, Response>>;
let server: (path: string) => Response | null; // null: it is away

const pathOf = (request: RequestInfo | URL): string => {
  const { pathname, search } = new URL(request instanceof Request ? request.url : String(request), ORIGIN);
  return pathname + search;
};

function cacheOf(name: string): Cache {
  const files = kept.get(name) ?? kept.set(name, new Map()).get(name)!;
  return {
    match: async (key: RequestInfo) => files.get(pathOf(key))?.clone(),
    put: async (key: RequestInfo, answer: Response) => void files.set(pathOf(key), answer),
  } as unknown as Cache;
}

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (key: string, { cacheName }: MultiCacheQueryOptions = {}) =>
      [...kept]
        .filter(([name]) => !cacheName || name === cacheName)
        .map(([, files]) => files.get(pathOf(key)))
        .find(Boolean)
        ?.clone(),
  });
  vi.stubGlobal('fetch', async (request: RequestInfo) => {
    const answer = server(pathOf(request));
    if (!answer) throw new TypeError('Failed to fetch');
    return answer;
  });
});
afterEach(() => vi.unstubAllGlobals());

async function asked(path: string, method = 'GET'): Promise<string | null> {
  const answer = await answerOf(new Request(ORIGIN + path, { method }), 'old', `${ORIGIN}/`);
  if (!answer) return null;
  if (answer.type === 'error') throw new TypeError('Failed to fetch');
  return `${answer.headers.has('x-jamboree-kept') ? 'kept ' : ''}${await answer.text()}`;
}

const keep = (name: string, path: string, text: string): Promise<void> => cacheOf(name).put(path, new Response(text));

test('the page comes from the server while it is reachable, whatever is cached', async () => {
  await keep('jamboree-client-old', '/', 'old page');
  server = () => new Response('new page');
  expect(await asked('/')).toBe('new page');
  server = () => null;
  expect(await asked('/')).toBe('kept old page');
  server = () => new Response('<h1>Bad Gateway</h1>', { status: 502 });
  expect(await asked('/')).toBe('kept old page');
});

test('a file with a content hash is fetched only once', async () => {
  await keep('jamboree-client-old', '/assets/index-12345678.js', 'code');
  server = (path) => (path.includes('index') ? null : new Response('new code'));
  expect(await asked('/assets/index-12345678.js')).toBe('code');
  expect(await asked('/assets/other-12345678.js')).toBe('new code');
});

test('looking for a file creates no cache, which an old worker would leave behind', async () => {
  server = () => new Response('code');
  await asked('/assets/index-12345678.js');
  expect([...kept.keys()]).toEqual([]);
});

test('rules are cached as last read', async () => {
  server = () => new Response('today');
  expect(await asked(RULES)).toBe('today');
  server = () => null;
  expect(await asked(RULES)).toBe('kept today');
  expect(await asked(RULES)).toBe('kept today');
});

test('a stored replay is available offline, a running table never', async () => {
  server = () => new Response('live');
  expect(await asked(REPLAY)).toBe('live');
  server = () => null;
  await expect(asked(REPLAY)).rejects.toThrow();
  await keep('jamboree-kept', REPLAY, 'replay');
  expect(await asked(REPLAY)).toBe('kept replay');
});

test('errors of the server are passed on', async () => {
  await keep('jamboree-kept', REPLAY, 'replay');
  const headers = { 'content-type': 'application/json' };
  server = () => new Response('{"code":"not-saved"}', { status: 503, headers });
  expect(await asked(REPLAY)).toBe('{"code":"not-saved"}');
});

test('all other requests are left to the browser', async () => {
  server = () => null;
  for (const path of ['/build.json', '/worker.js', '/api/v1/tables', '/api/v1/tables/abcdef/fairness', '/live'])
    expect(await asked(path)).toBeNull();
  expect(await asked('/api/v1/games', 'POST')).toBeNull();
  expect(answerOf(new Request('https://elsewhere.example/'), 'old', `${ORIGIN}/`)).toBeNull();
});

test('a build is cached completely, and reuses files of the previous one', async () => {
  const fetched: string[] = [];
  server = (path) => {
    fetched.push(path);
    return new Response(path === '/' ? page('new') : 'text');
  };
  await keep('jamboree-client-old', '/assets/same-12345678.js', 'same');
  await install('new', ['assets/same-12345678.js', 'assets/new-12345678.js', 'icon.svg'], `${ORIGIN}/`);
  expect(fetched.sort()).toEqual(['/', '/assets/new-12345678.js', '/icon.svg']);
  expect([...kept.get('jamboree-client-new')!.keys()].length).toBe(4);
});

test('a page of another build is not cached', async () => {
  server = () => new Response(page('newer'));
  await expect(install('new', [], `${ORIGIN}/`)).rejects.toThrow('another build');
  expect(kept.get('jamboree-client-new')!.size).toBe(0);
  expect(buildOf('<title>Bad Gateway</title>')).toBe('');
});

test('a missing file aborts the installation', async () => {
  server = (path) => (path === '/' ? new Response(page('new')) : new Response('', { status: 404 }));
  await expect(install('new', ['icon.svg'], `${ORIGIN}/`)).rejects.toThrow('404');
});

test('old builds are deleted, stored replays are not', async () => {
  for (const name of ['jamboree-client-old', 'jamboree-texts-old', 'jamboree-client-new', 'jamboree-kept', 'other'])
    cacheOf(name);
  await tidy(['jamboree-client-new', 'jamboree-texts-new']);
  expect([...kept.keys()]).toEqual(['jamboree-client-new', 'jamboree-kept', 'other']);
});
