import { globSync, readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { injectSprite } from '$lib/components/sprite';
import { definitions } from '../scripts/sheets';

const SHEETS = globSync(['web/src/art/sheet*.svg', 'src/jamboree/games/*/web/sheet*.svg']);

beforeEach(() => document.body.replaceChildren());

function drawn(sheet: string): string {
  document.body.replaceChildren();
  injectSprite(sheet);
  return document.body.innerHTML;
}

test.each(SHEETS)('%s renders the same from its definitions only', (path) => {
  const whole = readFileSync(path, 'utf-8');
  const shipped = definitions(whole);
  expect(shipped.length).toBeLessThan(whole.length);
  expect(drawn(shipped)).toBe(drawn(whole));
  expect(document.querySelectorAll('symbol').length).toBeGreaterThan(3);
});

test('a sheet without definitions fails the build', () => {
  expect(() => definitions('<svg xmlns="http://www.w3.org/2000/svg"><g /></svg>')).toThrow('no definitions');
});
