import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Painting } from '$lib/contract';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { settings } from '$lib/settings.svelte';
import { Table } from '$lib/table/table.svelte';
import { isPlain, loadTableUi } from '../src/table_ui';
import { api } from '../src/net/api';
import { LiveTable } from '../src/net/live_table.svelte';
import type { Answer, TableRequest, Transport, TableResponse, TableInfo } from '../src/net/wire';
import { plainTableUi } from '../src/plain';
import { ActionMenuModel } from '../src/plain/action_menu.svelte';
import { setAvatars } from '$lib/avatars.svelte';
import ActionMenu from '../src/plain/ActionMenu.svelte';
import TerminalBoard from '../src/plain/TerminalBoard.svelte';
import SeatCard from '../src/plain/SeatCard.svelte';

const PERSON = {
  connected: true,
  ready: true,
  muted: false,
  bot_plays: false,
  left: false,
  invited: false,
  wants_avatar: null,
  wants_seat: null,
  reclaims: null,
};
const PEOPLE = ['Ada', 'Bob'].map((name, seat) => ({ ...PERSON, person: `p${seat + 1}`, name, seat }));
const SEEN = {
  table: 'abc',
  game: 'toy',
  status: 'playing',
  seats: 2,
  people: PEOPLE,
  host: 'p1',
  bots: [],
  paused: 'no',
  undo_asked: null,
} as unknown as TableInfo;

let asked: TableRequest[];
let table: Table;

/** A table where so many steps can be taken, and a rest. */
function sit(steps: number, actors = [0]): ActionMenuModel {
  const store = new TableStore();
  const post: Transport = {
    state: 'open',
    restarting: false,
    reconnect: () => undefined,
    request: (message) => (asked.push(message), Promise.resolve<Answer>({ type: 'ack', id: 'x', seq: 2 })),
  };
  table = new Table(store, post, plainTableUi('toy'));
  hear(steps, 1, actors);
  return (table.model = new ActionMenuModel(table)) as ActionMenuModel;
}

function hear(steps: number, seq: number, actors = [0]): void {
  const rows = Array.from({ length: steps }, (_, step) => [`a${step}`]);
  const legal = [
    { action: 'Rest', fields: [], rows: [[]], cautions: {} },
    { action: 'Step', fields: ['to'], rows, cautions: {} },
  ];
  const painting: Painting = {
    lines: [
      [
        ['Seat ', ''],
        [' 1 ', 'seat0'],
      ],
      [],
      [
        ['quiet', 'dim'],
        [' bare', null as never], // a game of somebody else’s may send none
      ],
    ],
    menu: [
      { title: 'Step to', targets: rows.map(([to]) => to!), indices: rows.map((_, step) => step + 1) },
      { title: 'Rest', targets: [''], indices: [0] },
    ],
    scores: [3, 11],
  };
  const position = {
    view: {},
    actors,
    legal: actors.includes(0) ? legal : [],
    outcome: null,
    question: '',
    decided: '',
    painting,
  };
  const you = { person: 'p1', seat: 0 };
  const more = { missed: null, chat: [], clock: null, undo: null, bot_moves: 0 };
  table.store.receive({ type: 'welcome', seq, you, table: SEEN, position, ...more });
}

beforeEach(async () => {
  asked = [];
  await words.load('en');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  settings.change({ plain: false });
});

const buttons = (): string[] =>
  screen.getAllByRole('button').map((one) => one.textContent!.replace(/\s+/g, ' ').trim());

describe('the menu', () => {
  test('lists a few moves one by one', async () => {
    const model = sit(3);
    render(ActionMenu, { table, model } as never);
    expect(buttons()).toEqual(['Step to a0', 'Step to a1', 'Step to a2', 'Rest']);
    await fireEvent.click(screen.getByText('Step to a1'), { detail: 1 });
    expect(table.picked).toEqual({ type: 'Step', to: 'a1' }); // on a small screen it waits for its button
  });

  test('groups many moves, and performs one without a target at once', async () => {
    const model = sit(12);
    render(ActionMenu, { table, model } as never);
    expect(buttons()).toEqual(['Step to 12 ways', 'Rest']);
    await fireEvent.click(screen.getByText('Step to'));
    expect(buttons()).toEqual(['Something else', ...Array.from({ length: 12 }, (_, step) => `a${step}`)]);
    await fireEvent.click(screen.getByText('Something else'));
    await fireEvent.click(screen.getByText('Rest'));
    expect(asked.at(-1)).toEqual({ type: 'act', action: { type: 'Rest' } });
  });

  test('asks why an earlier move is illegal now', async () => {
    const model = sit(3);
    render(ActionMenu, { table, model } as never);
    expect(model.missing).toEqual([]);
    hear(1, 2);
    await vi.waitFor(() => expect(screen.getByText('Step to a2')).toBeTruthy());
    await fireEvent.click(screen.getByText('Step to a2'));
    expect(asked.at(-1)).toEqual({ type: 'why-not', action: { type: 'Step', to: 'a2' } });
  });

  test('is empty while others choose', () => {
    const model = sit(3, [1]);
    render(ActionMenu, { table, model } as never);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});

describe('the terminal board', () => {
  test('shows every span in its style, and every line unchanged', () => {
    sit(1);
    render(TerminalBoard, { table, model: null });
    const lines = [...document.querySelectorAll('.line')];
    expect(lines.map((line) => line.textContent)).toEqual(['Seat  1 ', '', 'quiet bare']);
    const seat = screen.getByText('1');
    expect(seat.className).toContain('seat0');
    expect([seat.style.color, seat.style.background]).toEqual(['rgb(35, 26, 43)', 'rgb(244, 244, 244)']);
    expect(screen.getByText('quiet').style.background).toBe('');
  });

  test('shows seats in their chosen colours', () => {
    sit(1);
    setAvatars([5, 0]);
    render(TerminalBoard, { table, model: null });
    const seat = screen.getByText('1');
    expect([seat.className.includes('seat5'), seat.style.background]).toEqual([true, 'rgb(200, 224, 138)']);
    setAvatars([]);
  });

  test('is shown with the known points', () => {
    sit(1);
    render(SeatCard, { table, model: null, seat: 1 });
    expect(document.body.textContent).toContain('Bob');
    expect(document.body.textContent).toContain('11');
  });
});

describe('which table UI is loaded', () => {
  test('a game without a table UI has the plain one', async () => {
    expect([isPlain('bebop'), isPlain('toy')]).toEqual([false, true]);
    expect((await loadTableUi('toy')).key).toBe('toy');
  });

  test('the setting uses the plain one everywhere; the lobby keeps the game’s own presets', async () => {
    const drawn = await loadTableUi('bebop');
    settings.change({ plain: true });
    const plain = await loadTableUi('bebop');
    expect([isPlain('bebop'), plain.Board === drawn.Board]).toEqual([true, false]);
    expect([plain.presets, plain.Mark]).toEqual([drawn.presets, drawn.Mark]);
  });

  test.each([
    ['bebop', undefined],
    ['toy', true],
  ])('only the plain one requests paintings: %s', async (game, painted) => {
    const sent: Record<string, unknown>[] = [];
    class Wire {
      onopen: (() => void) | null = null;
      send = (data: string): unknown => sent.push(JSON.parse(data));
      close = (): void => undefined;
      constructor() {
        setTimeout(() => this.onopen?.());
      }
    }
    vi.stubGlobal('WebSocket', Wire);
    vi.spyOn(api, 'table').mockResolvedValue({ game } as TableResponse);
    const live = new LiveTable('abc');
    await live.open();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]!.painted).toBe(painted);
    live.connection.end();
    vi.unstubAllGlobals();
  });
});
