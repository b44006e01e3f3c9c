import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { BotGameSettings } from '../../src/home/bot_game_settings.svelte';
import Poster from '../../src/home/Poster.svelte';
import BotGameOptions from '../../src/home/BotGameOptions.svelte';
import { api, type GameCard } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import type { Credentials } from '$types/wire';
import { aCard } from '../game_cards';

const KITE = aCard({ seats: [2, 6], bots: ['rookie', 'regular'] });

beforeEach(async () => {
  await words.load('en');
  catalogue.games = [KITE];
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});

/** A poster and, beside it, its options. */
function renderBoth(game: GameCard): HTMLButtonElement {
  render(Poster, { game });
  render(BotGameOptions, { game });
  return document.querySelector<HTMLButtonElement>('section .play')!;
}

test('the default level is Rookie; a change is remembered, and the poster says what Play will do', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const play = renderBoth(KITE);
  expect(document.querySelector('.with')!.textContent).toBe('You and three Rookies');
  expect(play.getAttribute('aria-label')).toBe('Play Kite against three Rookies');
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 4, bots: { 1: 'rookie', 2: 'rookie', 3: 'rookie' } });
  await fireEvent.click(screen.getByRole('radio', { name: /^Regular/ }));
  await fireEvent.click(screen.getByRole('radio', { name: '2' }));
  expect(document.querySelector('.with')!.textContent).toBe('You and a Regular');
  await vi.waitFor(() => expect(play.disabled).toBe(false));
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 2, bots: { 1: 'regular' } });
  expect(new BotGameSettings().of(KITE)).toEqual({ level: 'regular', seats: 2, options: {}, board: '' });
});

test('Champion is available from the start, in two-player games only', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const game = aCard({ seats: [2, 4], bots: ['rookie', 'regular', 'sharp', 'star', 'champion'] });
  const play = renderBoth(game);
  await fireEvent.click(screen.getByRole('radio', { name: /^Champion/ }));
  expect((screen.getByRole('radio', { name: '2' }) as HTMLInputElement).checked).toBe(true);
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 2, bots: { 1: 'champion' } });
  await fireEvent.click(screen.getByRole('radio', { name: '3' }));
  expect((screen.getByRole('radio', { name: /^Star/ }) as HTMLInputElement).checked).toBe(true);
  expect(document.querySelector('.with')!.textContent).toBe('You and two Stars');
});

test('options of a game against bots are remembered for the next game', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const options = {
    $ref: '#/$defs/Options',
    $defs: {
      Options: {
        properties: {
          windy: { type: 'boolean', default: false },
          sky: { enum: ['blue', 'grey'], default: 'blue' },
        },
      },
    },
  };
  const labels = { en: { windy: 'Windy', sky: 'Sky', 'sky.grey': 'Overcast' }, nl: {} };
  const windy = aCard({ options, labels });
  catalogue.games = [windy];
  const play = renderBoth(windy);
  await fireEvent.click(screen.getByRole('switch', { name: /Windy/ }));
  await fireEvent.change(screen.getByLabelText('Sky'), { target: { value: '1' } });
  expect((screen.getByLabelText('Sky') as HTMLSelectElement).selectedOptions[0]!.textContent).toBe('Overcast');
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ options: { windy: true, sky: 'grey' }, pace: 'relaxed' });
  expect(new BotGameSettings().of(windy).options).toEqual({ windy: true, sky: 'grey' });
});

test('a phone offers friends and one device beside the options', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const here = vi.fn();
  render(BotGameOptions, { game: KITE, sheet: true, here });
  await fireEvent.click(screen.getByRole('button', { name: 'On this device' }));
  expect(here).toHaveBeenCalledOnce();
  await fireEvent.click(screen.getByRole('button', { name: 'With friends' }));
  await vi.waitFor(() => expect(open).toHaveBeenCalledOnce());
  expect(open.mock.lastCall?.[0]).not.toHaveProperty('start');
});
