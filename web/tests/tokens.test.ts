import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = readdirSync('web/src').filter((name) => name.endsWith('.css'));
const CSS = FILES.map((name) => readFileSync(`web/src/${name}`, 'utf-8')).join('\n');

/** Every rule of the shell's tokens: its selector, and what it sets. */
const RULES = [...CSS.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({
  selector: selector!.trim(),
  values: body!
    .split(';')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line.startsWith('--')),
}));

test('a palette is defined once', () => {
  const pairs = RULES.flatMap((one, at) => RULES.slice(at + 1).map((other) => [one, other] as const));
  const alike = pairs.filter(([one, other]) => one.values.filter((value) => other.values.includes(value)).length > 3);
  expect(alike.map(([one, other]) => `${one.selector} and ${other.selector}`)).toEqual([]);
});

test('both colour schemes are declared to the browser', () => {
  for (const theme of ['light', 'dark'])
    expect(CSS).toMatch(new RegExp(`data-theme="${theme}"\\] \\{ color-scheme: ${theme};`));
  expect(readFileSync('web/index.html', 'utf-8')).toContain('<meta name="color-scheme" content="light dark" />');
});
