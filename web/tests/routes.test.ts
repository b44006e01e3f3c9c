import { render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { route } from '$lib/router.svelte';
import { own } from '$lib/own_property';
import { pageUrl } from '$lib/urls';
import { words } from '$lib/i18n.svelte';
import { catalogue } from '../src/net/catalogue.svelte';
import { api, refusalOf, type GameCard } from '../src/net/api';
import LearnPage from '../src/learn/LearnPage.svelte';
import { courseOf, places } from '../src/learn/lesson_tables';
import { destinationOf } from '../src/routes';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const at = (hash: string): string[] | null => {
  location.hash = hash;
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  return route.path;
};

afterEach(() => {
  vi.restoreAllMocks();
  location.hash = '';
});

describe('an address', () => {
  test.each([
    ['#/', 'home', {}],
    ['#/t/abcdef', 't', { code: 'abcdef' }],
    ['#/t/ABC-def', 't', { code: 'abcdef' }],
    ['#/t/abcdef/link/x_Y-1=', 't', { code: 'abcdef', secret: 'x_Y-1=' }],
    ['#/tv', 'screen', {}],
    ['#/tv/abcdef', 'tv', { code: 'abcdef' }],
    ['#/learn/bebop', 'learn', { game: 'bebop' }],
    ['#/learn/bebop/strategy', 'learn', { game: 'bebop', course: 'strategy' }],
    ['#/rules/bebop', 'rules', { game: 'bebop', rule: undefined }],
    ['#/rules/a-game2/reroll-2', 'rules', { game: 'a-game2', rule: 'reroll-2' }],
    ['#/replay/abcdef', 'replay', { code: 'abcdef', eyes: null }],
    ['#/replay/abcdef/12/seat-2', 'replay', { code: 'abcdef', step: 12, eyes: 1 }],
    ['#/analysis/abcdef', 'analysis', { code: 'abcdef' }],
    ['#/fairness/abcdef', 'fairness', { code: 'abcdef' }],
    ['#/journal/watch', 'journal', {}],
    ['#/admin', 'admin', {}],
  ])('%s leads to %s', (hash, page, props) => {
    expect(destinationOf(at(hash))).toEqual({ page, props });
  });

  const nowhere = ['#/%', '#/t/%E0%A4', '#/t', '#/t/a%2fb', '#/t/abc/other/x', '#/t/abc/link', '#/t/abc/link/a%2fb'];
  nowhere.push('#/learn', '#/learn/..%2ftables%2fabc%2fleave%3f', '#/learn/Bebop', '#/learn/bebop/x', '#/rules/..');
  nowhere.push('#/rules/bebop/A%20b', '#/admin/x', '#/journal', '#/replay/..', '#/replay/abc/1/seat-1/more', '#/x');
  nowhere.push(`#/t/${'a'.repeat(33)}`, ...INHERITED.flatMap((name) => [`#/${name}`, `#/${name}/x`, `#/t/${name}_`]));
  test.each(nowhere)('%s leads to the not-found page', (hash) => {
    expect(destinationOf(at(hash)).page).toBe('nowhere');
  });

  test('built by the client is parsed back', () => {
    expect(at(pageUrl('rules', 'bebop', 'the-end'))).toEqual(['rules', 'bebop', 'the-end']);
  });
});

describe('an inherited property name', () => {
  test.each(INHERITED)('%s is not a key', async (name) => {
    await words.load('en');
    expect(own({ a: 1 } as Record<string, number>, name)).toBeUndefined();
    expect([places.of(name), courseOf(name)]).toEqual([undefined, 'new']);
  });
});

describe('a name that is no path part', () => {
  test.each(['..', '../tables/abcdef/leave?', 'a/b', ''])('%j is never requested', async (name) => {
    const asked = vi.spyOn(globalThis, 'fetch');
    const attempts = [
      api.learn(name, 'Ada'),
      api.rules(name, 'en'),
      api.lessons(name, 'en'),
      api.examples(name, 'en'),
      api.check(name, {}, 'en'),
      api.tryExample('bebop', name, 'en', [], 'next' as never),
      api.leave(name),
      api.table(name),
    ];
    for (const attempt of attempts)
      expect(refusalOf(await attempt.catch((error: unknown) => error)).code).toBe('not-found');
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('a link to a lesson', () => {
  const card = (key: string, lessons: number): GameCard => ({ key, lessons }) as GameCard;

  test.each([
    ['constructor', 'There is nothing here'],
    ['nothing', 'There is nothing here'],
    ['dull', 'There is no lesson'],
  ])('for %s opens no table', async (game, title) => {
    await words.load('en');
    vi.spyOn(catalogue, 'load').mockResolvedValue();
    catalogue.games = [card('bebop', 3), card('dull', 0)];
    const opened = vi.spyOn(api, 'learn');
    render(LearnPage, { game });
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(opened).not.toHaveBeenCalled();
  });
});
