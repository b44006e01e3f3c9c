import { expect, test, vi } from 'vitest';
import { show } from '../../src/app/worker/notification_click';

const TO = 'https://jam.example/#/t/abcdef';
const HOME = 'https://jam.example/#/';
const OTHER = 'https://jam.example/#/t/ghijkl';

/** Tap, and give what happened to the pages that were open. */
async function tapped(...urls: string[]): Promise<string[]> {
  const happened: string[] = [];
  const note = (what: string) => vi.fn(async (...to: string[]) => void happened.push([what, ...to].join(' ')));
  const pages = urls.map((url) => ({ url, focus: note(`focus ${url}`), navigate: note(`navigate ${url}`) }));
  await show({ matchAll: async () => pages, openWindow: note('open') }, TO);
  return happened;
}

test('a click focuses the open page of the table', async () => {
  expect(await tapped(OTHER, HOME, TO)).toEqual([`focus ${TO}`]);
});

test('a click navigates an idle page to the table', async () => {
  expect(await tapped(OTHER, HOME)).toEqual([`focus ${HOME}`, `navigate ${HOME} ${TO}`]);
});

test('a click does not navigate away from another game', async () => {
  expect(await tapped(OTHER)).toEqual([`open ${TO}`]);
  expect(await tapped()).toEqual([`open ${TO}`]);
});
