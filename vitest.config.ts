import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import site from './vite.config.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default mergeConfig(
  site,
  defineConfig({
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'jsdom',
      pool: 'vmThreads', // jsdom is loaded once for each core, not for each file; every file still has a window of its own
      root: here('.'),
      setupFiles: [here('web/tests/setup.ts')],
      css: { include: [/sprite\.css/] }, // drawings that are made images have its rules in them
      include: ['web/**/*.test.ts', 'src/jamboree/games/*/web/**/*.test.ts'],
    },
  }),
);
