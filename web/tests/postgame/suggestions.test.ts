import { expect, test } from 'vitest';
import { suggest, type Played } from '../../src/postgame/suggestions';
import { aCard } from '../game_cards';

const options = {
  $ref: '#/$defs/Options',
  $defs: {
    Options: {
      properties: {
        board: { type: 'string' },
        windy: { type: 'boolean', default: false },
        pace: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
      },
    },
  },
};
const PARK = { key: 'park', value: 'P', name: 'The park', line: 'Trees' };
const BEACH = { key: 'beach', value: 'B', name: 'The beach', line: 'Wind' };

function played(change: Partial<Played> = {}): Played {
  return {
    card: aCard({ lessons: 8, bots: ['rookie', 'regular', 'star'], options }),
    won: false,
    levels: ['rookie'],
    options: {},
    course: 'learnt',
    presets: { board: [PARK, BEACH] },
    texts: { 'web.next.windy.true': 'Wind!', 'web.next.pace.fast': 'Fast!', 'web.next.board': '{name}' },
    ...change,
  };
}

test('a loss suggests starting or continuing the lessons', () => {
  expect(suggest(played({ course: 'new' }))).toEqual({ kind: 'course', begun: false });
  expect(suggest(played({ course: 'begun' }))).toEqual({ kind: 'course', begun: true });
});

test('a win over bots suggests stronger ones', () => {
  expect(suggest(played({ won: true }))).toEqual({ kind: 'level', level: 'regular' });
  expect(suggest(played({ won: true, levels: ['rookie', 'regular'] }))).toEqual({ kind: 'level', level: 'star' });
});

test('a win over the strongest bots, or over people, suggests a variant', () => {
  const windy = { kind: 'variant', options: { windy: true }, key: 'web.next.windy.true', params: {} };
  expect(suggest(played({ won: true, levels: ['star'] }))).toEqual(windy);
  expect(suggest(played({ won: true, levels: [] }))).toEqual(windy);
});

test('variants are suggested in turn, and then another board', () => {
  const fast = suggest(played({ options: { windy: true } }));
  expect(fast).toMatchObject({ key: 'web.next.pace.fast', options: { windy: true, pace: 'fast' } });
  const all = { windy: true, pace: 'fast' };
  const beach = suggest(played({ options: all }));
  expect(beach).toMatchObject({
    key: 'web.next.board',
    options: { ...all, board: 'B' },
    params: { name: 'The beach' },
  });
  expect(suggest(played({ options: { ...all, board: 'B' } }))).toMatchObject({ options: { board: 'P' } });
});

test('a game without lessons, levels and variants suggests nothing', () => {
  expect(suggest(played({ card: aCard({ options }), course: 'new', texts: {}, presets: {} }))).toBeNull();
});
