import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { settings } from '$lib/settings.svelte';
import JoinForm from '../src/lobby/JoinForm.svelte';
import Lobby from '../src/lobby/Lobby.svelte';
import { api, type GameCard, type SetUp } from '../src/net/api';
import { catalogue } from '../src/net/catalogue.svelte';
import { LiveTable } from '../src/net/live_table.svelte';
import type { TableInfo } from '../src/net/wire';
import Plain from '../src/plain/Mark.svelte';
import { settle } from './test_table';
import { aCard } from './game_cards';

const KITE = aCard({
  options: {
    $ref: '#/$defs/Options',
    $defs: {
      Weather: { enum: ['sun', 'rain'], type: 'string' },
      Options: {
        properties: {
          windy: { type: 'boolean', default: false },
          weather: { $ref: '#/$defs/Weather', default: 'sun' },
          rounds: { enum: [3, 5], default: 3 },
          limit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }], default: null },
          speed: { type: 'number', default: 1 },
          map: { type: 'string', default: '~~~' },
          teams: { type: 'array' },
        },
      },
    },
  },
  labels: { en: { windy: 'Windy', weather: 'Weather', 'weather.sun': 'Sun', 'weather.rain': 'Rain' }, nl: {} },
  help: { en: { windy: 'It blows.', map: 'Where you fly.' }, nl: {} },
});

let changes: SetUp[] = [];

/** Join as the host of a table whose game has no table UI. */
async function host(card: GameCard, options: Record<string, unknown> = {}, you = 'p1'): Promise<LiveTable> {
  catalogue.games = [card];
  vi.spyOn(api, 'games').mockResolvedValue([card]);
  vi.spyOn(api, 'setUp').mockImplementation((_, change) => (changes.push(change), Promise.resolve()));
  vi.stubEnv('DEV', false); // the built client, which has no table UI for this game
  const live = new LiveTable('abc');
  const people = [
    {
      person: 'p1',
      name: 'Ada',
      seat: 0,
      connected: true,
      ready: false,
      left: false,
      invited: false,
      wants_avatar: null,
      wants_seat: null,
      reclaims: null,
    },
  ];
  const table = {
    table: 'abc',
    game: card.key,
    status: 'gathering',
    seats: 2,
    people,
    host: 'p1',
    bots: [],
    paused: 'no',
    options: { windy: false, weather: 'sun', rounds: 3, limit: null, speed: 1, map: '~~~', ...options },
    seconds: null,
    consent: 'everybody',
    listed: true,
    forked_from: null,
    undo_asked: null,
    locked: false,
    house_rules: { wait: 120, idle: 'vote' },
    avatars: [0, 1, 2],
    first: null,
  } as unknown as TableInfo;
  live.store.receive({
    type: 'welcome',
    seq: 1,
    you: { person: you, seat: 0 },
    table,
    position: null,
    missed: null,
    chat: [],
    clock: null,
    undo: null,
    bot_moves: 0,
  } as Parameters<typeof live.store.receive>[0]);
  await live.loadUi(card.key, false);
  render(Lobby, { live });
  return live;
}

beforeEach(async () => {
  changes = [];
  vi.spyOn(api, 'invite').mockResolvedValue({ link: 'http://here/#/t/abc' });
  await words.load('en');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  catalogue.games = [];
});

describe('the lobby of a game without a table UI', () => {
  test('shows its name, its seats and the start button', async () => {
    await host(KITE);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Kite');
    expect(screen.getByRole('button', { name: /Start/ })).toBeTruthy();
  });

  test('offers bots to the host only', async () => {
    await host(KITE, {}, 'p2');
    expect(screen.getByText('One seat is open. Waiting for one more friend.')).toBeTruthy();
  });

  test.each([
    [['rookie', 'regular'] as const, 'rookie'],
    [['regular'] as const, 'regular'],
  ])('fills seats with the weakest of its bots: %s', async (bots, level) => {
    const bot = vi.spyOn(api, 'bot').mockResolvedValue();
    await host(aCard({ bots: [...bots] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Fill up with bots' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Bot' }));
    await settle();
    expect(bot.mock.calls).toEqual([
      ['abc', 1, level],
      ['abc', 1, level],
    ]);
  });

  test('draws controls from the schema, named as the server names them', async () => {
    await host(KITE);
    const windy = screen.getByRole('switch', { name: /Windy/ });
    expect(screen.getByText('It blows.')).toBeTruthy();
    await fireEvent.click(windy);
    await fireEvent.click(screen.getByRole('radio', { name: 'Rain' }));
    await fireEvent.click(screen.getByRole('radio', { name: '5' }));
    const limit = screen.getByRole('spinbutton', { name: 'limit' });
    expect([limit.getAttribute('min'), limit.getAttribute('max')]).toEqual(['1', '9']);
    await fireEvent.change(limit, { target: { value: '4' } });
    expect(changes.map(({ options }) => options)).toMatchObject([
      { windy: true },
      { weather: 'rain' },
      { rounds: 5 },
      { limit: 4 },
    ]);
    expect(screen.queryByText('teams')).toBeNull();
  });

  test('offers the default text, or a file', async () => {
    await host(KITE);
    const usual = await screen.findByRole('radio', { name: /As in the box/ });
    expect(usual.getAttribute('aria-checked')).toBe('true');
    expect(screen.getByText('Where you fly.')).toBeTruthy();
  });

  test('shows when the text is a custom one', async () => {
    await host(KITE, { map: '^^^' });
    const usual = await screen.findByRole('radio', { name: /As in the box/ });
    expect(usual.getAttribute('aria-checked')).toBe('false');
    await fireEvent.click(usual);
    expect(changes[0]?.options).toMatchObject({ map: '~~~' });
  });
});

describe('choices before the game', () => {
  const card = aCard({ avatars: { en: ['red', 'blue', 'green'], nl: [] }, begins: { en: 'Who flew last?', nl: '' } });

  async function withOthers(asks: number | null): Promise<LiveTable> {
    const live = await host(card);
    live.table = {
      store: live.store,
      ui: { Mark: Plain },
      has: () => false,
      t: (key: string) => key,
      chat: [],
      phrases: [],
    } as unknown as LiveTable['table'];
    const [ada] = live.store.table!.people;
    const bob = { ...ada!, person: 'p2', name: 'Bob', seat: 1, wants_avatar: asks };
    live.store.receive({
      type: 'table',
      seq: 2,
      table: { ...live.store.table!, people: [ada!, bob], avatars: [0, 1, 2], first: null },
    });
    await settle();
    return live;
  }

  test('a free avatar is taken with one tap, and one of another person is requested', async () => {
    const look = vi.spyOn(api, 'chooseAvatar').mockResolvedValue();
    await withOthers(null);
    await fireEvent.click(screen.getByRole('button', { name: 'green' }));
    await fireEvent.click(screen.getByRole('button', { name: 'blue, Bob has it: ask to swap' }));
    expect(look.mock.calls).toEqual([
      ['abc', 2],
      ['abc', 1],
    ]);
    expect(screen.getByRole('button', { name: 'red' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('an avatar request is answered with one tap', async () => {
    const answer = vi.spyOn(api, 'answerAvatarRequest').mockResolvedValue();
    await withOthers(0);
    expect(screen.getByText('Bob would like to swap: you would give red and get blue.')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Swap' }));
    expect(answer.mock.lastCall).toEqual(['abc', 'p2', true]);
  });

  test('the first player can be chosen, with the rulebook’s question', async () => {
    await withOthers(null);
    expect(screen.getByText('Who flew last?')).toBeTruthy();
    await fireEvent.click(screen.getByRole('radio', { name: 'Bob' }));
    await fireEvent.click(screen.getByRole('radio', { name: 'Random' }));
    expect(changes).toEqual([{ first: 1 }, { first: null }]);
  });
});

describe('watching', () => {
  /** What a visitor with no name can do in a lobby. */
  async function visit(spectators: 'everybody' | 'joined'): Promise<HTMLButtonElement> {
    settings.change({ name: '' });
    const live = await host(KITE);
    cleanup();
    live.store.table = { ...live.store.table!, spectators };
    live.store.you = { person: null, seat: null };
    render(JoinForm, { live });
    return screen.getByRole('button', { name: 'Watch' });
  }

  test('needs no name if everybody may watch', async () => {
    const join = vi.spyOn(api, 'join');
    await fireEvent.click(await visit('everybody'));
    expect(screen.getByRole('status').textContent).toContain('You are watching');
    expect(join).not.toHaveBeenCalled();
  });

  test('with a name is that of a person who can chat', async () => {
    const join = vi.spyOn(api, 'join').mockRejectedValue(new Error('not now'));
    const button = await visit('everybody');
    await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'Zoë' } });
    await fireEvent.click(button);
    expect(join).toHaveBeenCalledWith('abc', { name: 'Zoë', watch: true });
  });

  test('needs a name if only people with one may watch', async () => {
    expect((await visit('joined')).disabled).toBe(true);
  });
});
