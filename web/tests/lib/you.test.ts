import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toMe } from '$lib/table/you';

const en = (text: string): string => toMe(text, 'Ada', 'en');
const nl = (text: string): string => toMe(text, 'Ada', 'nl');

type Case = ['en' | 'nl', string, string, string];
const CASES = JSON.parse(readFileSync('tests/core/you.json', 'utf-8')) as Case[]; // as for the terminal

/** All sentences of the games' logs, with me on every seat. */
function sentences(language: 'en' | 'nl'): string[] {
  return ['bebop', 'bpm', 'boogie'].flatMap((game) => {
    const path = `src/jamboree/games/${game}/words/locale/${language}.json`;
    const texts = JSON.parse(readFileSync(path, 'utf-8')) as Record<string, string | Record<string, string>>;
    const told = Object.entries(texts).filter(([key]) => key.startsWith('event.'));
    return told.flatMap(([, text]) => (typeof text === 'string' ? [text] : Object.values(text)));
  });
}
const WHO = /\{(seat|winners|jumpers|jumpmaster|owner|to|leaders|token_to)\}/g;

describe('what is said of me', () => {
  test.each(CASES)('%s: %s', (language, name, text, told) => expect(toMe(text, name, language)).toBe(told));

  test('never mixes persons, in any sentence of any game', () => {
    const wrong = sentences('en')
      .map((text) => en(text.replace(WHO, 'Ada')))
      .filter((text) => /\b[Yy]ou (has|is|[a-z]*[^s]s)\b|\band (gets|puts|wins|scores|is) |Ada/.test(text));
    expect(wrong).toEqual([]);
    const fout = sentences('nl')
      .map((text) => nl(text.replace(WHO, 'Ada')))
      .filter((text) => /\b[Jj]ij (heeft|is)\b|Ada/.test(text));
    expect(fout).toEqual([]);
  });
});
