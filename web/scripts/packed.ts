/** Puts packed copies beside the files of the built client, so that the server packs nothing while people play. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(html|js|css|svg|json|webmanifest|txt)$/;
const SMALLEST = 1024; // bytes; less is not worth it

export function packed(): Plugin {
  let folder = '';
  return {
    name: 'packed',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    closeBundle: () => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (TEXT.test(name)) pack(join(folder, name));
      }
    },
  };
}

function pack(path: string): void {
  const content = readFileSync(path);
  if (content.length < SMALLEST) return;
  writeFileSync(`${path}.br`, brotliCompressSync(content));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
