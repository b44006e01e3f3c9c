/** The rules as they are read, on their page and beside a table. */
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { api, RequestFailed } from '../../src/net/api';
import RulesBody from '../../src/rules/RulesBody.svelte';
import RulesPage from '../../src/rules/RulesPage.svelte';
import { settle } from '../test_table';

const MARKDOWN = '# Toy\n\n## A turn {#turn}\nLay a card.\n\n## The end {#end}\nMost cards win.';
const QUICK = '# At a glance\n\n## The end {#end}\nMost cards.';
const DICE = {
  rule: 'turn',
  show: [{ piece: 'die', colour: 'red', face: 'keys' }],
  text: 'A red die that wants keys.',
};

beforeEach(async () => {
  await words.load('en');
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(api, 'games').mockResolvedValue([]);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function read(props: object, quick = QUICK): Promise<string[]> {
  vi.spyOn(api, 'rules').mockResolvedValue({ markdown: MARKDOWN, quick, pieces: [DICE] });
  const gone: string[] = [];
  render(RulesBody, { props: { game: 'bebop', go: (anchor: string) => gone.push(anchor), ...props } });
  await settle();
  return gone;
}

test('beside a table the quick reference comes first, with links to the full rules', async () => {
  const gone = await read({});
  expect(screen.getByRole('tab', { name: 'At a glance' }).getAttribute('aria-selected')).toBe('true');
  expect(screen.queryByText('Lay a card.')).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: '“The end” in full' }));
  expect(gone).toEqual(['end']);
  expect(screen.getByText('Most cards win.')).toBeTruthy();
});

test('a requested rule is shown in full, and focused', async () => {
  await read({ rule: 'end' });
  await settle();
  expect(screen.getByRole('tab', { name: 'All rules' }).getAttribute('aria-selected')).toBe('true');
  expect((document.activeElement as HTMLElement).dataset.rule).toBe('end');
});

test('a game without a quick reference has no tabs', async () => {
  await read({}, '');
  expect(screen.queryByRole('tab')).toBeNull();
  expect(screen.getByText('Lay a card.')).toBeTruthy();
});

test('search hits are counted, listed, highlighted and linked', async () => {
  const gone = await read({ rule: 'turn' });
  const field = screen.getByRole('searchbox', { name: 'Search the rules' });
  await fireEvent.input(field, { target: { value: 'CARDS' } });
  expect(screen.getByRole('status').textContent).toContain('1 rule');
  expect(within(screen.getByRole('article')).getByText('cards').tagName).toBe('MARK');
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(gone).toEqual(['end']);
  await fireEvent.input(field, { target: { value: 'dragon' } });
  expect(screen.getByRole('status').textContent).toContain('No rule has these words.');
  await fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.getByRole('status').textContent?.trim()).toBe('');
});

test('a slash focuses the search', async () => {
  await read({ rule: 'turn' });
  await fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});

test('pieces are drawn by the table UI of the game, and described', async () => {
  await read({ rule: 'turn' });
  await vi.waitFor(() => expect(screen.getByRole('img', { name: DICE.text })).toBeTruthy(), 20_000); // a table UI is large
  const drawn = screen.getByRole('img', { name: DICE.text });
  expect([...drawn.querySelectorAll('use')].map((use) => use.getAttribute('href'))).toEqual(['#die-red', '#face-keys']);
});

test('on the page every rule has an address, and there is a table of contents', async () => {
  vi.spyOn(api, 'rules').mockResolvedValue({ markdown: MARKDOWN, quick: '', pieces: [] });
  render(RulesPage, { props: { game: 'pearls' } });
  await settle();
  const contents = screen.getByRole('navigation', { name: 'Contents' });
  const links = within(contents).getAllByRole('link', { hidden: true });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#/rules/pearls/turn', '#/rules/pearls/end']);
  const anchor = screen.getByRole('link', { name: 'Link to “A turn”' });
  expect(anchor.getAttribute('href')).toBe('#/rules/pearls/turn');
});

test('a page that can’t be fetched shows an error', async () => {
  vi.spyOn(api, 'rules').mockRejectedValue(new Error('gone'));
  render(RulesBody, { props: { game: 'bebop', go: () => undefined } });
  await settle();
  expect(screen.getByText(words.shell['refused.offline'] as string)).toBeTruthy();
});

test('rules of an unknown game are not reported as an unreachable server', async () => {
  vi.spyOn(api, 'rules').mockRejectedValue(new RequestFailed({ code: 'unknown-game', sentence: 'From the server.' }));
  render(RulesBody, { game: 'chess', go: () => undefined });
  await vi.waitFor(() => expect(screen.getByText('This game is not played here.')).toBeTruthy(), 10_000);
});
