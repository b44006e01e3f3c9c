/** Worked examples as they come from the server, drawn by the games' own table UIs and tried out. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableUi } from '$lib/contract';
import { words } from '$lib/i18n.svelte';
import { settings } from '$lib/settings.svelte';
import bebop from '$games/bebop/web';
import boogie from '$games/boogie/web';
import bpm from '$games/bpm/web';
import { api } from '../../src/net/api';
import type { ExampleCard, Examples, TrialResult } from '../../src/net/wire';
import Example from '../../src/rules/Example.svelte';
import { settle } from '../test_table';

const TABLE_UIS: Record<string, TableUi> = { bebop, bpm, boogie };
const NOTHING: TrialResult = {
  events: [],
  sentences: [],
  points: [],
  chance_follows: false,
  position: null,
  next: null,
  refused: '',
  rule: null,
};

interface Recorded {
  shown: Examples;
  first: Record<string, TrialResult>;
}

const recorded = (game: string): Recorded =>
  JSON.parse(readFileSync(`web/fixtures/examples/${game}.json`, 'utf-8')) as Recorded;

const PATIENCE = { timeout: 20_000 }; // a story is told first, and the machine may be busy

beforeEach(async () => {
  await words.load('en');
  settings.stored.motion = false;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function lay(game: string, card: ExampleCard, trying: string | null, gone: string[] = []): Promise<void> {
  const company = recorded(game).shown;
  const go = (anchor: string): unknown => gone.push(anchor);
  render(Example, { props: { game, card, company, ui: TABLE_UIS[game]!, trying, go } });
  await settle();
}

const all = Object.keys(TABLE_UIS).flatMap((game) =>
  recorded(game).shown.examples.map((card) => [game, card.name, card] as const),
);

test.each(all)('%s, %s: the picture has a description and is inert', async (game, _, card) => {
  await lay(game, card, null);
  await vi.waitFor(() => expect(screen.getByRole('img', { name: card.alt })).toBeTruthy());
  const picture = screen.getByRole('img', { name: card.alt });
  expect(picture.querySelector('[inert] svg')).toBeTruthy();
});

test.each(all)('%s, %s: the example’s move is made, described and undone', async (game, name, card) => {
  const first = recorded(game).first[name]!;
  const ask = vi.spyOn(api, 'tryExample').mockResolvedValue(first);
  await lay(game, card, name);
  await fireEvent.click(await screen.findByRole('button', { name: 'Show me' }));
  await settle();
  expect(ask).toHaveBeenCalledWith(game, name, 'en', [card.begins.next], 'play');
  const outcome = (): string => document.querySelector('.outcome')?.textContent ?? '';
  await vi.waitFor(() => expect(outcome()).toContain('You'), PATIENCE);
  expect(outcome()).not.toContain('Robin');
  await fireEvent.click(screen.getByRole('button', { name: 'Start again' }));
  await settle();
  expect(document.querySelector('ul.outcome')).toBeNull();
});

test('an illegal move is explained, with a link to the rule', async () => {
  const card = recorded('bebop').shown.examples.find(({ name }) => name === 'families')!;
  const refused = { ...NOTHING, refused: 'Somebody sits at d5.', rule: 'book' };
  vi.spyOn(api, 'tryExample').mockResolvedValue(refused);
  const gone: string[] = [];
  await lay('bebop', card, 'families', gone);
  await fireEvent.click(await screen.findByRole('button', { name: 'Show me' }));
  expect(await screen.findByText('Somebody sits at d5.')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'The rule' }));
  await settle();
  expect(gone).toEqual(['book']);
});

test('a failed request is reported, and can be retried', async () => {
  const { shown, first } = recorded('bpm');
  const card = shown.examples[0]!;
  const ask = vi.spyOn(api, 'tryExample').mockRejectedValueOnce(new Error('gone'));
  await lay('bpm', card, card.name);
  await fireEvent.click(await screen.findByRole('button', { name: 'Show me' }));
  expect(await screen.findByText(words.shell['refused.broken'] as string)).toBeTruthy();
  ask.mockResolvedValue(first[card.name]!);
  await fireEvent.click(screen.getByRole('button', { name: 'Show me' }));
  await vi.waitFor(() => expect(document.querySelector('.outcome')?.textContent).toContain('You'));
});
