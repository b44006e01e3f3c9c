/** The four festivals as presets of the board option. */
import type { Preset, Settings } from '$lib/contract';
import { fill, gameTexts, type Texts } from '$lib/i18n.svelte';

const BOARDS = import.meta.glob<string>('../../box/data/boards/*.txt', { query: '?raw', import: 'default' });
const FIRST = 'vanillaville'; // the game's own default
type Head = [string, string, string, string];

export async function presets(option: string, language: Settings['language']): Promise<Preset[]> {
  if (option !== 'board') return [];
  const texts = await gameTexts('bebop', language);
  const cards = await Promise.all(Object.values(BOARDS).map(async (load) => card(await load(), texts)));
  return cards.sort((a, b) => Number(b.key === FIRST) - Number(a.key === FIRST));
}

function card(source: string, texts: Texts): Preset {
  const [id, name, tagline, album] = ['id', 'name', 'tagline', 'album'].map((key) => headed(source, key)) as Head;
  const line = fill(texts[`tagline.${id}`] ?? tagline);
  return { key: id, value: source, name, line, note: album, symbol: `festival-${id}` };
}

/** A value from the header of a board file. */
function headed(source: string, key: string): string {
  return new RegExp(`^${key}:\\s*(.*?)\\s*$`, 'm').exec(source)?.[1] ?? '';
}
