/** Opens the table of a clicked notification. */
import type { Pages } from './scope';

/** Show a place in the page that has it, or on the first page; a page with another game in it is left alone. */
export async function show(pages: Pages, to: string): Promise<void> {
  const open = await pages.matchAll({ type: 'window', includeUncontrolled: true });
  const page = open.find(({ url }) => url === to) ?? open.find(({ url }) => isFirst(url));
  if (!page) return void (await pages.openWindow(to));
  await page.focus();
  if (page.url !== to) await page.navigate(to);
}

const isFirst = (url: string): boolean => ['', '#/'].includes(new URL(url).hash);
