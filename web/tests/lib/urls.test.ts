import { afterEach, describe, expect, test, vi } from 'vitest';
import { absoluteUrl, apiUrl, fileUrl, pageUrl, socketUrl, UnsafePart } from '$lib/urls';

const HOSTILE = [
  '../tables/abcdef/leave?',
  '..',
  '.',
  '',
  'a/b',
  '..\\tables\\abcdef\\leave?',
  'a\nb',
  'a\0',
  '\ud800',
];

describe('a part of a path', () => {
  test.each([
    ['bebop', 'bebop'],
    ['leave?', 'leave%3F'],
    ['a#b', 'a%23b'],
    ['a b', 'a%20b'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['a&b=c', 'a%26b%3Dc'],
    ['Zoë', 'Zo%C3%AB'],
  ])('%s is encoded as one part: %s', (part, written) => {
    for (const url of [apiUrl(['games', part, 'rules']), pageUrl('games', part, 'rules')]) {
      const { pathname, hash, search } = new URL(url, 'http://here/');
      expect((hash || pathname).split('/').at(-2)).toBe(written);
      expect(search).toBe('');
    }
  });

  test.each(HOSTILE)('%j is refused in any position', (part) => {
    for (const build of [
      () => apiUrl(['games', part, 'lessons']),
      () => apiUrl([part]),
      () => socketUrl(['tables', part, 'socket']),
      () => pageUrl('t', part),
      () => fileUrl(part),
    ])
      expect(build).toThrow(UnsafePart);
  });
});

describe('a query', () => {
  test('has encoded names and values, and omits null', () => {
    const query = { language: 'en&x=y', seat: null, 'a=b': 1, painted: true };
    expect(apiUrl(['games'], query)).toBe('/api/v1/games?language=en%26x%3Dy&a%3Db=1&painted=true');
    expect(apiUrl(['games'], { seat: null })).toBe('/api/v1/games');
    expect(apiUrl(['games'], { seat: 0 })).toBe('/api/v1/games?seat=0');
  });
});

test('an absolute address can be shared', () => {
  expect(absoluteUrl(pageUrl('t', 'abcdef'))).toBe(`${location.origin}/#/t/abcdef`);
  expect(pageUrl()).toBe('#/');
  expect(socketUrl(['tables', 'abcdef', 'socket'])).toBe(
    `${location.origin.replace('http', 'ws')}/api/v1/tables/abcdef/socket`,
  );
});

describe('a page at an odd address', () => {
  afterEach(() => {
    document.head.querySelector('base')?.remove();
    vi.resetModules();
  });

  test.each([
    ['//', '/'],
    ['///', '/'],
    ['//elsewhere.example/', '/elsewhere.example/'],
    ['/below/', '/below/'],
  ])('%s asks its own host', async (page, root) => {
    document.head.append(Object.assign(document.createElement('base'), { href: location.origin + page }));
    vi.resetModules();
    const urls = await import('$lib/urls');
    expect(urls.apiUrl(['games'])).toBe(`${root}api/v1/games`);
    expect(urls.fileUrl('worker.js')).toBe(`${root}worker.js`);
    for (const url of [urls.apiUrl(['games']), urls.fileUrl('worker.js'), urls.socketUrl(['tables'])])
      expect(new URL(url, location.href).host).toBe(location.host);
  });
});
