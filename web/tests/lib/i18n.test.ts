import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { fill, list, words, type Text, type Texts } from '$lib/i18n.svelte';

const LANGUAGES = ['en', 'nl'];
const read = (path: string): Texts => JSON.parse(readFileSync(path, 'utf8'));
const SHELL = (language: string): Texts => ({
  ...read(`web/src/locale/${language}.json`),
  ...read(`src/jamboree/bots/locale/${language}.json`),
});
const GAME = (game: string, language: string): Texts =>
  read(`src/jamboree/games/${game}/words/locale/${language}.json`);

const CALL = /\b(?:t|has|say)\(\s*((?:[^(),'`]|'[^']*'|`[^`]*`|\((?:[^()'`]|'[^']*'|`[^`]*`)*\))*)/g;
const KEY = /(?<![=!]==? ?)(?:'([a-z][\w.\- ]*)'|`([a-z][^`]*)`)(?! in )/gi;

/** Texts asked for by name: t('key'), table.t(`key.${part}`) and so on; a part that varies becomes a `*`. */
async function used(...patterns: string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const path of glob(patterns, { exclude: (name) => name.includes('.test.') }))
    for (const [, argument] of readFileSync(path, 'utf8').matchAll(CALL))
      for (const [, plain, varied] of argument!.replace(/\w\([^()]*\)/g, '').matchAll(KEY))
        found.set(plain ?? varied!.replace(/\$\{[^}]*\}/g, '*'), path);
  return found;
}

const matches = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.+')}$`).test(key);
const blanks = (text: Text): string[] => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort();

describe('a text', () => {
  test('is formatted as on the server', () => {
    expect(fill('{a} and {b}', { a: 'x', b: 2 })).toBe('x and 2');
    expect(fill({ one: 'one seat', other: '{count} seats' }, { count: 1 })).toBe('one seat');
    expect(fill({ one: 'one seat', other: '{count} seats' }, { count: 0 })).toBe('0 seats');
  });

  test.each([
    ['en', 'Ada, Bob and Cleo'],
    ['nl', 'Ada, Bob en Cleo'],
  ])('lists names as the browser would (%s)', (language, row) => {
    const before = words.shell;
    words.shell = SHELL(language);
    expect(['', 'Ada', row]).toEqual([[], ['Ada'], ['Ada', 'Bob', 'Cleo']].map(list));
    expect(list(['Ada', 'Bob'])).toBe(new Intl.ListFormat(language).format(['Ada', 'Bob']));
    words.shell = before;
  });
});

describe('the shell', () => {
  test('has the same keys in both languages', () => {
    const [english, dutch] = [SHELL('en'), SHELL('nl')];
    expect(Object.keys(dutch)).toEqual(Object.keys(english));
    for (const key of Object.keys(english)) expect([key, blanks(dutch[key]!)]).toEqual([key, blanks(english[key]!)]);
  });

  test('has distinct labels for the actions after a game', () => {
    const choices = ['replay', 'analysis', 'replay.share', 'rematch', 'home'];
    for (const texts of LANGUAGES.map(SHELL))
      expect(new Set(choices.map((key) => texts[key])).size).toBe(choices.length);
  });

  test('has every text it uses, and no other', async () => {
    const [keys, known] = [await used('web/src/**/*.{ts,svelte}'), Object.keys(SHELL('en'))];
    const asked = [...keys.keys()].filter((key) => !key.startsWith('web.'));
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((pattern) => !known.some((key) => matches(pattern, key)))).toEqual([]);
    expect(known.filter((key) => !asked.some((pattern) => matches(pattern, key)))).toEqual([]);
  });

  test('has a text for every error code of the server', () => {
    const table = readFileSync('docs/protocol.md', 'utf8').split('| code | it means |')[1]!.split('\n\n')[0]!;
    const rows = table.split('\n').map((row) => row.split('|')[1] ?? '');
    const codes = rows.flatMap((row) => [...row.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code!));
    expect(codes.length).toBeGreaterThan(50);
    for (const known of LANGUAGES.map(SHELL))
      expect(codes.filter((code) => code !== 'illegal' && !(`refused.${code}` in known))).toEqual([]);
  });
});

const TABLE_UIS = readdirSync('src/jamboree/games').filter((game) => existsSync(`src/jamboree/games/${game}/web`));

describe.each(TABLE_UIS)('the table UI of %s', (game) => {
  test.each(LANGUAGES)('has every text it uses in %s', async (language) => {
    const keys = await used(`src/jamboree/games/${game}/web/**/*.{ts,svelte}`);
    const known = [...Object.keys(GAME(game, language)), ...Object.keys(SHELL(language))];
    const missing = [...keys].filter(([pattern]) => !known.some((key) => matches(pattern, key)));
    expect(missing).toEqual([]);
    expect(keys.size).toBeGreaterThan(10);
  });

  test.each(LANGUAGES)('has a title and a tagline for its poster in %s', (language) => {
    expect(Object.keys(GAME(game, language))).toEqual(expect.arrayContaining(['web.poster.title', 'web.poster.line']));
  });

  test('names its seats and panels for the shell', async () => {
    const known = Object.keys(GAME(game, 'en'));
    expect(known.some((key) => key.startsWith('web.seat.'))).toBe(true);
    expect(known.some((key) => key.startsWith('web.panel.'))).toBe(true);
  });
});
