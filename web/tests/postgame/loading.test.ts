import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import type { Table } from '$lib/table/table.svelte';
import FairnessPage from '../../src/postgame/FairnessPage.svelte';
import { Replay } from '../../src/postgame/replay.svelte';
import ReplayPage from '../../src/postgame/ReplayPage.svelte';
import ScoreChart from '../../src/postgame/ScoreChart.svelte';
import { api, RequestFailed } from '../../src/net/api';
import type { TableResponse } from '../../src/net/wire';
import { plainTableUi } from '../../src/plain';
import Mark from '../../src/plain/Mark.svelte';
import { settle } from '../test_table';

const NEVER = new Promise<never>(() => undefined);
const table = { ui: { Mark }, me: 0, name: (seat: number) => `Seat ${seat}` } as unknown as Table;
const chart = { table, code: 'jazz', scores: (view: unknown) => view as number[] };
const height = (): string => document.querySelector<HTMLElement>('.plot')!.style.height;

beforeEach(async () => {
  await words.load('en');
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a chart shows that it is loading, in its final height', async () => {
  let answer: (views: unknown[]) => void = () => undefined;
  vi.spyOn(api, 'replay').mockReturnValue(new Promise((resolve) => (answer = resolve)));
  render(ScoreChart, { props: chart });
  expect(screen.getByRole('status').textContent).toBe('Loading…');
  const awaited = height();
  answer([
    [0, 0],
    [3, 5],
  ]);
  await settle();
  expect(screen.queryByRole('status')).toBeNull();
  expect(height()).toBe(awaited);
});

test('a chart has labelled axes', async () => {
  vi.spyOn(api, 'replay').mockResolvedValue([[0], [10], [20]]);
  render(ScoreChart, { props: chart });
  await settle();
  const texts = (kind: string): string[] =>
    [...document.querySelectorAll(`text.${kind}`)].map((one) => one.textContent);
  expect(texts('points')).toEqual(['0', '5', '10', '15', '20']);
  expect(texts('step')).toContain('steps of the game');
  expect(document.querySelector('.axis')!.textContent).toBe('points');
});

test('a chart that can’t be fetched shows the reason', async () => {
  vi.spyOn(api, 'replay').mockRejectedValue(new RequestFailed({ code: 'offline', sentence: '' }));
  render(ScoreChart, { props: chart });
  await settle();
  expect(screen.getByRole('status').textContent).not.toBe('Loading…');
  expect(screen.getByRole('status').textContent).not.toBe('');
});

test('a replay calls the reader “you”', () => {
  const person = { person: 'p1', name: 'Ada', seat: 0 };
  const seen = { game: 'toy', seats: 1, people: [person], bots: [], avatars: [], you: { person: 'p1', seat: 0 } };
  const step = {
    seq: 1,
    step: 1,
    actor: 0,
    sentences: ['You claim a1.'],
    events: [{ type: 'Claimed', seat: 0 }],
    undone: false,
  };
  const replay = new Replay(seen as unknown as TableResponse, [{}, {}], [step], plainTableUi('toy'));
  replay.show(1);
  expect([replay.sentence, replay.table.name(0)]).toEqual(['You claim a1.', 'You']);
  expect(replay.table.me).toBeNull();
});

test('a replay shows that it is loading', () => {
  vi.spyOn(api, 'table').mockReturnValue(NEVER);
  vi.spyOn(api, 'replay').mockReturnValue(NEVER);
  vi.spyOn(api, 'games').mockReturnValue(NEVER);
  render(ReplayPage, { props: { code: 'jazz' } });
  expect(screen.getByRole('status').textContent).toBe('Loading…');
});

test('the fairness page shows that it is loading', () => {
  vi.spyOn(api, 'table').mockReturnValue(NEVER);
  vi.spyOn(api, 'fairness').mockReturnValue(NEVER);
  render(FairnessPage, { props: { code: 'jazz' } });
  expect(screen.getByRole('status').textContent).toBe('Loading…');
});
