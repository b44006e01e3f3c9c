/** The rules page of a game: full text, summary, and illustrations once they have loaded. */
import type { TableUi } from '$lib/contract';
import type { Language } from '$lib/i18n.svelte';
import type { PiecesCard } from '$types/wire';
import { loadTableUi } from '../table_ui';
import { api } from '../net/api';
import { parse, sections, type Section } from './markdown';

export interface Page {
  rules: Section[];
  quick: Section[]; // empty if the game has no quick reference
  pieces: PiecesCard[];
}

export async function openPage(game: string, language: Language): Promise<Page> {
  const { markdown, quick, pieces } = await api.rules(game, language);
  return { rules: sections(parse(markdown)), quick: sections(parse(quick)), pieces };
}

/** The table UI that draws a game's pieces, or null if it draws none. */
export async function drawnBy(game: string, page: Page): Promise<TableUi | null> {
  if (!page.pieces.length) return null;
  const ui = await loadTableUi(game).catch(() => null);
  return ui?.Piece ? ui : null;
}
