/** The four festivals, as cards to choose from. */
import type { Preset } from '$lib/contract';
import { parseBoard } from './board';

const BOARDS = import.meta.glob<string>('../data/boards/*.txt', { query: '?raw', import: 'default' });
const FIRST = 'vanillaville'; // the game's own default

export async function presets(option: string): Promise<Preset[]> {
  if (option !== 'board') return [];
  const cards = await Promise.all(Object.values(BOARDS).map(async (load) => card(await load())));
  return cards.sort((a, b) => Number(b.key === FIRST) - Number(a.key === FIRST));
}

function card(source: string): Preset {
  const { id, name, tagline, album } = parseBoard(source, 4);
  return { key: id, value: source, name, line: tagline, note: album, symbol: `festival-${id}` };
}
