import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { BotGameSettings } from '../../src/home/bot_game_settings.svelte';
import Poster from '../../src/home/Poster.svelte';
import { api } from '../../src/net/api';
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

test('the default level is Rookie; a change is remembered', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  render(Poster, { game: KITE });
  const play = screen.getByText('Play against bots');
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 4, bots: { 1: 'rookie', 2: 'rookie', 3: 'rookie' } });
  await fireEvent.click(screen.getByLabelText('Regular'));
  await fireEvent.click(screen.getByLabelText('2'));
  await vi.waitFor(() => expect((play.closest('button') as HTMLButtonElement).disabled).toBe(false));
  await fireEvent.click(play);
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 2, bots: { 1: 'regular' } });
  expect(new BotGameSettings().of(KITE)).toEqual({ level: 'regular', seats: 2, options: {}, board: '' });
});

test('Champion is available from the start, in two-player games only', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const game = aCard({ seats: [2, 4], bots: ['rookie', 'regular', 'sharp', 'star', 'champion'] });
  render(Poster, { game });
  await fireEvent.click(screen.getByLabelText('Champion'));
  expect((screen.getByLabelText('2') as HTMLInputElement).checked).toBe(true);
  await fireEvent.click(screen.getByText('Play against bots'));
  expect(open.mock.lastCall?.[0]).toMatchObject({ seats: 2, bots: { 1: 'champion' } });
  await fireEvent.click(screen.getByLabelText('3'));
  expect((screen.getByLabelText('Star') as HTMLInputElement).checked).toBe(true);
});

test('options of a game against bots are remembered for the next game', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue({ table: 'abcdef' } as Credentials);
  const options = {
    $ref: '#/$defs/Options',
    $defs: { Options: { properties: { windy: { type: 'boolean', default: false } } } },
  };
  const windy = aCard({ options, labels: { en: { windy: 'Windy' }, nl: {} } });
  catalogue.games = [windy];
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  render(Poster, { game: windy });
  await fireEvent.click(screen.getByText('Options'));
  await fireEvent.click(await screen.findByRole('switch', { name: /Windy/ }));
  await fireEvent.click(screen.getByText('Done'));
  await fireEvent.click(screen.getByText('Play against bots'));
  expect(open.mock.lastCall?.[0]).toMatchObject({ options: { windy: true }, pace: 'relaxed' });
  expect(new BotGameSettings().of(windy).options).toEqual({ windy: true });
});
