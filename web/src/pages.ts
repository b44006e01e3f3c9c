/** Lazy-loaded pages; the table page is prefetched once home is drawn. */
import type { Component } from 'svelte';
import Home from './home/Home.svelte';

type Page = Component<any>;

const PAGES = {
  t: () => import('./table/TablePage.svelte'),
  tv: () => import('./party/TvPage.svelte'),
  screen: () => import('./party/TvStart.svelte'),
  learn: () => import('./learn/LearnPage.svelte'),
  rules: () => import('./rules/RulesPage.svelte'),
  replay: () => import('./postgame/ReplayPage.svelte'),
  journal: () => import('./postgame/JournalPage.svelte'),
  analysis: () => import('./postgame/review/AnalysisPage.svelte'),
  admin: () => import('./admin/AdminPage.svelte'),
  fairness: () => import('./postgame/FairnessPage.svelte'),
  nowhere: () => import('./NotFound.svelte'),
  home: () => Promise.resolve({ default: Home }),
} satisfies Record<string, () => Promise<{ default: Page }>>;
export type PageName = keyof typeof PAGES;
const AHEAD = 2500; // ms after which the first page has loaded

const loaded = new Map<PageName, Promise<Page>>();

export function openPage(name: PageName): Promise<Page> {
  if (!loaded.has(name))
    loaded.set(
      name,
      PAGES[name]().then(({ default: page }) => page),
    );
  if (name === 'home') setTimeout(() => void openPage('t').catch(() => loaded.delete('t')), AHEAD);
  return loaded.get(name)!;
}
