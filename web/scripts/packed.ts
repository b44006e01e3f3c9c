/** Puts packed copies beside the files of the built client, so that the server packs nothing while people play. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(html|js|css|svg|json|webmanifest|txt)$/;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
/** Of 11: the best takes a quarter of the time of a build and saves a fourteenth. */
const QUALITY = Number(process.env.BROTLI_QUALITY ?? constants.BROTLI_MAX_QUALITY);
const SMALLEST = 1024; // bytes; less is not worth it

export function packed(): Plugin {
  let folder = '';
  return {
    name: 'packed',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => TEXT.test(name));
      await Promise.all(names.map((name) => pack(join(folder, name))));
    },
  };
}

/** Compress a file on all cores: zlib's asynchronous functions run in threads. */
async function pack(path: string): Promise<void> {
  const content = readFileSync(path);
  if (content.length < SMALLEST) return;
  writeFileSync(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }));
  writeFileSync(`${path}.gz`, await gzipped(content, { level: 9 }));
}
