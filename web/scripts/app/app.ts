/** Makes an app of the built client: icons, a manifest in each language, and a worker that knows what there is. */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { draw, ICONS } from './icons.ts';

const WORKER = 'worker.js';
const WORKERS = { [WORKER]: 'web/src/app/worker/worker.ts', 'twin-worker.js': 'web/src/twin/worker.ts' };
const PAGE = 'index.html';
const PAPER = '#f5ecd9';
const NOT_NEEDED = /^(\.vite\/|third-party\.txt$|(twin-)?worker\.js$|index\.html$)/; // the page is the folder itself
/** What the page may do where no server says so in a header. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

type Texts = Record<string, { name: string; description: string }>;

/** `tables`: a folder made by `web/scripts/page`, for a page that runs its tables without a server. */
export function app(root: string, tables?: string): Plugin {
  let folder = '';
  return {
    name: 'app',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    async writeBundle() {
      await writeIcons(root, folder);
      writeManifests(root, folder);
      for (const [name, source] of Object.entries(WORKERS)) await writeWorker(join(root, source), folder, name);
      if (tables) await addTables(root, tables, folder);
      writeVersion(folder);
    },
  };
}

/** Make a page that needs no server. */
async function addTables(root: string, tables: string, folder: string): Promise<void> {
  await writeWorker(join(root, 'web/src/page/worker.ts'), tables, 'worker.js', 'es'); // it imports Python's loader
  await writeWorker(join(root, 'web/src/twin/worker.ts'), tables, 'thinker.js');
  const digest = createHash('sha256');
  for (const file of ['files.json', 'worker.js', 'thinker.js']) digest.update(readFileSync(join(tables, file)));
  const name = `tables-${digest.digest('hex').slice(0, 16)}`;
  cpSync(tables, join(folder, name), { recursive: true });
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
    `<meta name="tables" content="${name}" />`,
  ];
  const preload = / *<link [^>]*href="api\/v1\/games"[^>]*>\n/;
  rewrite(join(folder, PAGE), (page) =>
    page.replace(preload, '').replace('<meta charset="utf-8" />', ['$&', ...head].join('\n    ')),
  );
}

async function writeIcons(root: string, folder: string): Promise<void> {
  const mark = readFileSync(join(root, 'web/public/icon.svg'), 'utf8');
  for (const icon of ICONS) writeFileSync(join(folder, icon.file), await draw(mark, icon));
}

function writeManifests(root: string, folder: string): void {
  const texts = JSON.parse(readFileSync(join(root, 'web/src/app/manifest.json'), 'utf8')) as Texts;
  for (const [lang, own] of Object.entries(texts)) {
    const manifest = { ...own, short_name: own.name, lang, ...FRAME, icons: icons() };
    writeFileSync(join(folder, `manifest.${lang}.webmanifest`), JSON.stringify(manifest, null, 2));
  }
}

const FRAME = {
  id: '/',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: PAPER,
  theme_color: PAPER,
  categories: ['games', 'entertainment'],
};

function icons(): object[] {
  const drawn = ICONS.filter(({ file }) => !file.includes('apple'));
  const pngs = drawn.map(({ file, size, purpose }) => ({
    src: file,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  }));
  return [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }, ...pngs];
}

/** Build a worker by itself: it may share no file with the page, because not every browser lets a worker import. */
async function writeWorker(input: string, folder: string, name: string, format: 'iife' | 'es' = 'iife'): Promise<void> {
  const output = { entryFileNames: name, format };
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: false, target: 'es2022', rolldownOptions: { input, output } },
  });
}

/** Name this build by all that is in it, and tell the page, the worker, and whoever asks the server. */
function writeVersion(folder: string): void {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const digest = createHash('sha256');
  for (const name of names) digest.update(name).update(readFileSync(join(folder, name)));
  const own = digest.digest('hex').slice(0, 16);
  const files = names.filter((name) => !NOT_NEEDED.test(name));
  rewrite(join(folder, WORKER), (code) => `const APP = ${JSON.stringify({ build: own, files })};\n${code}`);
  rewrite(join(folder, PAGE), (page) => page.replace('</title>', `</title>\n${head(own)}`));
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ build: own }));
}

/** What a page says of itself as an app; in development it is none. */
function head(build: string): string {
  const links = [
    `<meta name="build" content="${build}" />`,
    '<link rel="manifest" href="manifest.en.webmanifest" />',
    '<link rel="apple-touch-icon" href="icon-apple-180.png" />',
  ];
  return links.map((link) => `    ${link}`).join('\n');
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
