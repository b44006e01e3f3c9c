import { cleanup, render } from '@testing-library/svelte';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { interleaved } from '../src/games/figures';
import { posterTitle } from '../src/games/lettering';
import GamePicture from '../src/games/GamePicture.svelte';
import PosterArt from '../src/games/PosterArt.svelte';
import { api } from '../src/net/api';
import { catalogue } from '../src/net/catalogue.svelte';
import { aCard } from './game_cards';

const GAMES = 'src/jamboree/games';
const tableUis = readdirSync(GAMES).filter((game) => existsSync(`${GAMES}/${game}/web`));
const shellFile = (game: string, file: string): string => readFileSync(`${GAMES}/${game}/web/${file}`, 'utf8');

beforeEach(() => words.load('en'));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  catalogue.games = [];
});

describe.each(tableUis)('the shell files of %s', (game) => {
  test('include a poster, and a picture for lists', () => {
    const drawn = shellFile(game, 'shell/poster.svg');
    const ids = [...drawn.matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining([`poster-${game}`, `picture-${game}`]));
    expect([...drawn.matchAll(/href="#([\w-]+)"/g)].filter(([, id]) => !ids.includes(id))).toEqual([]);
  });

  test('include a theme that affects no other game', () => {
    const selectors = [...shellFile(game, 'shell/theme.css').matchAll(/^([^\s@/{}][^{}]*) \{/gm)].map(
      ([, found]) => found!,
    );
    expect(selectors).toContain(`[data-game='${game}']`);
    expect(selectors.filter((one) => one !== ':root' && !one.includes(`[data-game='${game}']`))).toEqual([]);
  });

  test('name existing figures for the first page, if any', () => {
    if (!readdirSync(`${GAMES}/${game}/web/shell`).includes('figures.json')) return;
    const crowd = JSON.parse(shellFile(game, 'shell/figures.json')) as { symbol: string }[];
    const sheet = shellFile(game, 'sheet.svg');
    expect(crowd.filter(({ symbol }) => !sheet.includes(`id="${symbol}"`))).toEqual([]);
  });
});

test('the figures of each game are spread over the row', () => {
  const group = (symbol: string, count: number) => Array.from({ length: count }, () => ({ symbol, size: 1 }));
  expect(interleaved([group('b', 4), group('d', 2)]).map(({ symbol }) => symbol)).toEqual([
    'b',
    'd',
    'b',
    'b',
    'd',
    'b',
  ]);
});

describe('a game that the client does not know', () => {
  test('has a plain poster with its name', () => {
    catalogue.games = [aCard({ key: 'kite', name: { en: 'Kite Fight', nl: 'Vliegergevecht' } })];
    const { container, getByRole } = render(PosterArt, { game: 'kite', labelled: true });
    expect(getByRole('img', { name: 'Kite Fight' })).toBeTruthy();
    expect([...container.querySelectorAll('.name')].map((line) => line.textContent)).toEqual(['Kite', 'Fight']);
    expect(container.querySelector('use')).toBeNull();
  });

  test('has its first letter as its picture', () => {
    catalogue.games = [aCard({ key: 'kite', name: { en: 'Kite Fight', nl: 'Vliegergevecht' } })];
    expect(render(GamePicture, { game: 'kite' }).container.textContent?.trim()).toBe('K');
  });

  test.each([
    ['Kite', 1, 60],
    ['Boogie Beasts', 2, 60],
    ['A Long Winter by the Sea', 3, 57],
    ['Donaudampfschifffahrtsgesellschaft', 1, 15],
  ])('%s fits on the poster', (name, count, size) => {
    expect(posterTitle(name)).toMatchObject({ size });
    expect(posterTitle(name).lines).toHaveLength(count);
  });
});

describe('the name of a game', () => {
  test('is unknown before the server has answered, and is its key if the server does not have it', async () => {
    expect(catalogue.name('kite')).toBe('');
    vi.spyOn(api, 'games').mockResolvedValue([aCard({ key: 'kite', name: { en: 'Kite', nl: 'Vlieger' } })]);
    await catalogue.load();
    expect([catalogue.name('kite'), catalogue.name('chess')]).toEqual(['Kite', 'chess']);
    await words.load('nl');
    expect(catalogue.name('kite')).toBe('Vlieger');
  });
});
