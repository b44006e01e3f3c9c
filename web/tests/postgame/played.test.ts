import { beforeEach, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import type { TableResponse } from '../../src/net/wire';
import { dayOf, namesBySeat, playedLine, readerOf } from '../../src/postgame/played';

const TABLE = {
  seats: 3,
  people: [{ seat: 1, name: 'Guest' }],
  bots: [
    { seat: 0, name: 'Pip' },
    { seat: 2, name: 'Scat' },
  ],
  you: { person: 'p1', seat: 1 },
  device: ['p1'],
} as unknown as TableResponse;
const NOON = 1_795_089_600; // 19 November 2026, in seconds

beforeEach(async () => {
  await words.load('en');
});

test('the reader is called “You”, whatever the name at the table', () => {
  expect(namesBySeat(TABLE)).toEqual(['Pip', 'You', 'Scat']);
});

test('on a device of several people everyone keeps their name', () => {
  const shared = { ...TABLE, device: ['p1', 'p2'] };
  expect(readerOf(shared)).toBeNull();
  expect(namesBySeat(shared)).toEqual(['Pip', 'Guest', 'Scat']);
});

test('a game is described by its day, its players and their scores, the highest first', async () => {
  expect(playedLine(NOON, namesBySeat(TABLE), [12, 41, 38])).toBe(
    '19 Nov 2026 · You\u00a041, Scat\u00a038, Pip\u00a012',
  );
  expect(playedLine('2026-11-19', ['Ada', 'Bob'], [])).toBe('19 Nov 2026 · Ada, Bob');
  await words.load('nl');
  expect(playedLine(NOON, namesBySeat(TABLE), [12, 41, 38])).toBe(
    '19 nov 2026 · Jij\u00a041, Scat\u00a038, Pip\u00a012',
  );
});

test('without a valid date only the players are named', () => {
  expect(dayOf('last Tuesday')).toBe('');
  expect(playedLine(0, ['Ada', 'Bob'], [3, 4])).toBe('Bob\u00a04, Ada\u00a03');
});
