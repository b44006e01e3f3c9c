// Only the definitions of a sheet are shipped: the rest is a contact print of them, for whoever draws.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const SHEET = /\/sheet[\w-]*\.svg\?raw$/;

export function definitions(sheet: string): string {
  const root = /<svg[^>]*>/.exec(sheet)?.[0];
  const drawn = sheet.match(/<defs[\s\S]*?<\/defs>/g);
  if (!root || !drawn) throw new Error('a sheet has no definitions');
  return `${root}${drawn.join('')}</svg>`;
}

export function sheets(): Plugin {
  return {
    name: 'sheets',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!SHEET.test(id)) return null;
      const file = id.replace('?raw', '');
      this.addWatchFile(file);
      return `export default ${JSON.stringify(definitions(readFileSync(file, 'utf8')))}`;
    },
  };
}
