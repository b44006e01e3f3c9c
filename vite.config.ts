import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { app } from './web/scripts/app/app.ts';
import { firstPage } from './web/scripts/first_page.ts';
import { fonts } from './web/scripts/fonts.ts';
import { notices } from './web/scripts/notices.ts';
import { packed } from './web/scripts/packed.ts';
import { sheets } from './web/scripts/sheets.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const tables = process.env.JAMBOREE_TABLES; // a page that runs its tables itself: see `make static`
const server = process.env.JAMBOREE_URL ?? 'http://127.0.0.1:8300';

export default defineConfig({
  root: here('web'),
  base: './', // a proxy may put all of it under a path
  plugins: [
    svelte({ configFile: here('svelte.config.js') }),
    fonts(here('.')),
    notices(here('.')),
    sheets(),
    app(here('.'), tables),
    ...(tables ? [] : [packed()]),
  ],
  resolve: {
    alias: {
      $lib: here('web/src/lib'),
      $types: here('web/types'),
      $core: here('src/jamboree/core'),
      $games: here('src/jamboree/games'),
      $tests: here('web/tests'),
    },
  },
  build: {
    outDir: here('src/jamboree/server/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      checks: { pluginTimings: false }, // no advice for developers when a player builds
      output: { codeSplitting: { groups: [{ name: firstPage, priority: 1 }] } },
    },
  },
  server: { proxy: { '/api': { target: server, ws: true } }, fs: { allow: [here('.')] } },
});
