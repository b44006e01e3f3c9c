// Reduces fonts to the characters that are used: a `url(….woff2?subset)` holds those of its rule's `unicode-range`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';

const RULE = /@font-face\s*\{[^}]*\}/g;
const SOURCE = /url\(\s*['"]([^'"]+\.woff2)\?subset['"]\s*\)/;
const RANGE = /unicode-range:\s*([^;}]+)/;
const FEATURES = ['kern', 'liga', 'tnum', 'mark', 'mkmk', 'ccmp', 'locl', 'rvrn']; // all that our styles use

/** The characters of a `unicode-range`, such as `U+20-7E, U+E9`. */
export function charactersOf(range: string): string {
  return range
    .split(',')
    .map((part) => /^\s*U\+([\dA-F]+)(?:-([\dA-F]+))?\s*$/i.exec(part))
    .map((found) => {
      if (!found) throw new Error(`not a unicode-range: ${range}`);
      const [from, to] = [parseInt(found[1]!, 16), parseInt(found[2] ?? found[1]!, 16)];
      return Array.from({ length: to - from + 1 }, (_, more) => String.fromCodePoint(from + more)).join('');
    })
    .join('');
}

export function fonts(root: string): Plugin {
  const folder = join(root, 'node_modules/.fonts');
  const find = createRequire(join(root, 'package.json')).resolve;

  async function subset(source: string, range: string): Promise<string> {
    const original = readFileSync(source);
    const key = createHash('sha256').update(original).update(range).update(FEATURES.join()).digest('hex');
    const file = join(folder, key.slice(0, 12), basename(source));
    if (existsSync(file)) return file;
    const { default: subsetFont } = await import('subset-font');
    const options = { targetFormat: 'woff2' as const, keepFeatures: FEATURES };
    const reduced = await subsetFont(original, charactersOf(range), options);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, reduced);
    return file;
  }

  return {
    name: 'fonts',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\.css(\?(?!raw)|$)/.test(id) || !code.includes('?subset')) return null;
      let changed = code;
      for (const [rule] of code.matchAll(RULE)) {
        const source = SOURCE.exec(rule)?.[1];
        if (!source) continue;
        const range = RANGE.exec(rule)?.[1];
        if (!range) throw new Error(`a subset of ${source} needs a unicode-range`);
        const file = relative(dirname(id.replace(/\?.*/, '')), await subset(find(source), range));
        changed = changed.replace(rule, rule.replace(SOURCE, `url('${file.replaceAll('\\', '/')}')`));
      }
      return { code: changed, map: null };
    },
  };
}
