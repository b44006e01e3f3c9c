import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { charactersOf } from '../scripts/fonts';
import { firstPage } from '../scripts/first_page';

const ROOT = process.cwd();
const FILE = `${ROOT}/web/src/some.css`;
const SOURCE = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';

/** Transform a style in a process of its own: the font tools know no jsdom. */
function transformed(css: string): string {
  const script = `import { fonts } from './web/scripts/fonts.ts';
    console.log((await fonts(process.cwd()).transform(process.argv[1], process.argv[2])).code);`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script, css, FILE], { stdio: 'pipe' }).toString();
}

test('a unicode-range is read as characters', () => {
  expect(charactersOf('U+41-43, U+E9,U+2026')).toBe('ABCé…');
  expect(() => charactersOf('U+4?')).toThrow('not a unicode-range');
});

test('a font of few characters is a small file, and other rules stay as they are', () => {
  const rule = (range: string): string => `@font-face { src: url('${SOURCE}?subset'); ${range} }`;
  const other = `@font-face { src: url('${SOURCE}'); }`;
  const code = transformed(`${other}\n${rule('unicode-range: U+41-43;')}`);
  expect(code).toContain(other);
  const made = /url\('(\.\.[^']+)'\)/.exec(code)![1]!;
  const size = readFileSync(join(dirname(FILE), made)).length;
  expect(size).toBeGreaterThan(500);
  expect(size).toBeLessThan(readFileSync(`${ROOT}/node_modules/${SOURCE}`).length / 5);
  expect(() => transformed(rule(''))).toThrow('needs a unicode-range');
});

test('every character of our texts is in the files that a first page fetches', () => {
  const css = readFileSync(`${ROOT}/web/src/late_fonts.css`, 'utf8');
  const ranges = [...css.matchAll(/unicode-range:([^;]+);/g)].map(([, range]) => new Set(charactersOf(range!)));
  const basic = ranges.sort((one, other) => other.size - one.size)[0]!;
  const texts = ['en', 'nl'].flatMap((language) =>
    Object.values(JSON.parse(readFileSync(`${ROOT}/web/src/locale/${language}.json`, 'utf8')) as object),
  );
  const missing = new Set([...texts.map((text) => JSON.stringify(text)).join('')].filter((one) => !basic.has(one)));
  expect([...missing].filter((one) => /\p{L}/u.test(one))).toEqual([]);
});

test('what the entry imports, itself or through others, is one file', () => {
  const importers: Record<string, string[]> = { entry: [], home: ['entry'], button: ['home', 'table'], table: [] };
  const modules = {
    getModuleInfo: (id: string) => ({ isEntry: id === 'entry', importers: importers[id]! }),
  };
  expect(['entry', 'home', 'button', 'table'].map((id) => firstPage(id, modules))).toEqual([
    'first-page',
    'first-page',
    'first-page',
    null,
  ]);
});
