/** The ready-made crates of songs as presets of the crate option. */
import type { Preset, Settings } from '$lib/contract';
import { fill, gameTexts } from '$lib/i18n.svelte';

export async function presets(option: string, language: Settings['language']): Promise<Preset[]> {
  if (option !== 'songs') return [];
  const [texts, songs] = await Promise.all([gameTexts('bpm', language), import('../../box/data/songs.csv?raw')]);
  const name = fill(texts['web.crate.house'] ?? '');
  const line = fill(texts['web.crate.house.line'] ?? '');
  const note = fill(texts['web.crate.house.note'] ?? '');
  return [{ key: 'house', value: songs.default, name, line, note, symbol: 'crate' }];
}
