/** Opens the table of a clicked notification. */
import type { Pages } from './scope';

/** Focus the page of the table, or navigate an idle page; never one with another game. */
export async function show(pages: Pages, to: string): Promise<void> {
  const open = await pages.matchAll({ type: 'window', includeUncontrolled: true });
  const page = open.find(({ url }) => url === to) ?? open.find(({ url }) => isFirst(url));
  if (!page) return void (await pages.openWindow(to));
  await page.focus();
  if (page.url !== to) await page.navigate(to);
}

const isFirst = (url: string): boolean => ['', '#/'].includes(new URL(url).hash);
