import { fireEvent, render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import Poster from '../../src/home/Poster.svelte';
import { api } from '../../src/net/api';
import { aCard } from '../game_cards';
import { settle } from '../test_table';

const OPENED = { table: 'JAZZ', person: 'p1', seat: 0, token: null };

it.each([
  ['boogie', { pace: 'standard' }],
  ['kite', {}],
])('a table of friends at %s starts with the options %o, one against bots with none', async (key, options) => {
  const open = vi.spyOn(api, 'open').mockResolvedValue(OPENED);
  render(Poster, { props: { game: aCard({ key }) } });
  const press = (name: string): Promise<unknown> => fireEvent.click(document.querySelector(`section .${name}`)!);
  await press('friends');
  await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(1));
  expect(open.mock.calls[0]![0]).toMatchObject({ game: key, options });
  await settle();
  await press('play');
  await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(2));
  expect(open.mock.calls[1]![0]).toMatchObject({ start: true, options: {} });
  open.mockRestore();
});

it('clicking a poster opens a game against bots', async () => {
  const open = vi.spyOn(api, 'open').mockResolvedValue(OPENED);
  render(Poster, { props: { game: aCard({ key: 'kite' }) } });
  await fireEvent.click(document.querySelector('.art')!);
  await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(1));
  expect(open.mock.calls[0]![0]).toMatchObject({ game: 'kite', start: true });
  open.mockRestore();
});
