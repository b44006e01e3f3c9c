/** Puts sizes in the place of their names: `@container board (--small)` and `@media (--stacked)` in components. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PreprocessorGroup } from 'svelte/compiler';

const file = join(import.meta.dirname, '../src/lib/breakpoints.json');
const SIZES = JSON.parse(readFileSync(file, 'utf-8')) as Record<string, string>;

const QUERY = /@(?:media|container)[^{]*/g;
const NAME = /\(--([a-z-]+)\)/g;

function size(name: string): string {
  const found = SIZES[name];
  if (!found) throw new Error(`there is no breakpoint called ${name}`);
  return found.includes(') and (') ? `(${found})` : found;
}

/** Write out the sizes that a stylesheet names in its queries. */
export function measured(css: string): string {
  return css.replace(QUERY, (query) => query.replace(NAME, (_, name: string) => size(name)));
}

/** A preprocessor for Svelte. */
export function breakpoints(): PreprocessorGroup {
  return {
    name: 'breakpoints',
    style: ({ content }) => ({ code: measured(content), dependencies: [file] }),
  };
}
