// The licences of what the build ships: packages whose code is in the bundle, and the fonts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const FILE = 'third-party.txt';
const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;
const LICENCE = /^(licen[cs]e|ofl)/i;

interface Manifest {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
}

export function notices(root: string): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    generateBundle(_, bundle) {
      const shipped = [...new Set([...bundled(bundle), ...fonts(root)])].sort();
      const source = shipped.map((name) => notice(root, name)).join('\n\n');
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  };
}

function bundled(bundle: Rolldown.OutputBundle): string[] {
  const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  return modules.map((id) => PACKAGE.exec(id)?.[1]?.replaceAll('\\', '/')).filter((name) => name !== undefined);
}

function fonts(root: string): string[] {
  return Object.keys(manifest(root).dependencies ?? {}).filter((name) => name.startsWith('@fontsource'));
}

function notice(root: string, name: string): string {
  const folder = join(root, 'node_modules', name);
  const { version, license } = manifest(folder);
  const file = readdirSync(folder).find((each) => LICENCE.test(each));
  if (!file) throw new Error(`${name} ships without the text of its licence`);
  const title = `${name} ${version} (${license})`;
  return [title, '='.repeat(title.length), readFileSync(join(folder, file), 'utf8').trim()].join('\n') + '\n';
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
