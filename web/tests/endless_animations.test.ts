import { expect, test } from 'vitest';

const SHEETS = import.meta.glob<string>(
  ['../src/**/*.{svelte,css}', '../../src/jamboree/games/*/web/**/*.{svelte,css}'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
/** What is there for seconds: a coach or a bot that thinks, a story that is told, a clock that runs out, a phone away. */
const BRIEF = ['HintPanel', 'SeatCard', 'Spotlights', 'Sky', 'LostPhones'];

test('an idle table has no endless animation, which would keep a core busy', () => {
  const endless = Object.keys(SHEETS).filter((file) => /animation[^;]*\binfinite\b/.test(SHEETS[file]!));
  expect(endless.map((file) => file.replace(/.*\/(\w+)\.\w+$/, '$1')).sort()).toEqual([...BRIEF].sort());
});
