/** Games as a server lists them, for tests. */
import type { GameCard } from '../src/net/api';

export function aCard(change: Partial<GameCard> = {}): GameCard {
  return {
    key: 'kite',
    title: 'Kite',
    name: { en: 'Kite', nl: 'Vlieger' },
    line: { en: 'Hold on.', nl: 'Hou vast.' },
    rules_version: 1,
    seats: [2, 4],
    minutes: [10, 20],
    options: { $ref: '#/$defs/Options', $defs: { Options: { properties: {} } } },
    help: { en: {}, nl: {} },
    labels: { en: {}, nl: {} },
    bots: ['regular'],
    undo: true,
    lessons: 0,
    strategy: 0,
    avatars: { en: [], nl: [] },
    begins: null,
    ...change,
  };
}
