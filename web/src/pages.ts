/** The pages, each fetched when somebody goes there; the table's is fetched ahead, once home is drawn. */
import type { Component } from 'svelte';
import Home from './home/Home.svelte';

type Page = Component<any>;
type Load = () => Promise<{ default: Page }>;

const PAGES: Record<string, Load> = {
  t: () => import('./table/TablePage.svelte'),
  tv: () => import('./party/TvPage.svelte'),
  screen: () => import('./party/TvStart.svelte'),
  learn: () => import('./learn/LearnPage.svelte'),
  rules: () => import('./rules/RulesPage.svelte'),
  replay: () => import('./after/ReplayPage.svelte'),
  journal: () => import('./after/sent/JournalPage.svelte'),
  analysis: () => import('./after/back/AnalysisPage.svelte'),
  admin: () => import('./admin/AdminPage.svelte'),
  fairness: () => import('./after/FairnessPage.svelte'),
  home: () => Promise.resolve({ default: Home }),
};
const AHEAD = 2500; // ms after which nothing of home is on its way any more

const loaded = new Map<string, Promise<Page>>();

export function openPage(name: string): Promise<Page> {
  const key = name in PAGES ? name : 'home';
  if (!loaded.has(key))
    loaded.set(
      key,
      PAGES[key]!().then(({ default: page }) => page),
    );
  if (key === 'home') setTimeout(() => void openPage('t').catch(() => loaded.delete('t')), AHEAD);
  return loaded.get(key)!;
}
