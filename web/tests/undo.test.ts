import { beforeEach, describe, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { Room } from '$lib/room.svelte';
import { catalogue } from '../src/net/catalogue.svelte';
import type { GameCard } from '../src/net/api';
import type { TableSeen, UndoSeen } from '../src/net/wire';
import { outlook } from '../src/table/undo';

const someone = (name: string, seat: number | null, here = true): object => ({ person: name, name, seat, here });

/** What is said to Ada, at a table with others. */
function said(undo: UndoSeen | null, others: object[] = [], more: Partial<TableSeen> = {}): [boolean, string] {
  const room = new Room();
  const people = [someone('Ada', 0), ...others];
  room.seen = { game: 'toy', people, undo_asked: null, ...more } as unknown as TableSeen;
  room.you = { person: 'Ada', seat: 0 };
  room.undo = undo;
  const { possible, label } = outlook(room);
  return [possible, label];
}

beforeEach(async () => {
  await words.load('en');
  catalogue.games = [{ key: 'final', undo: false } as GameCard];
});

describe('taking a move back', () => {
  test('is free while nobody has done anything', () => {
    expect(said({ rule: 'free', steps: 1 }, [someone('Bob', 1)])).toEqual([true, 'Take my move back']);
  });

  test('names whom it will ask', () => {
    const others = [someone('Bob', 1), someone('Cleo', 2), someone('Dirk', 3, false), someone('Eve', null)];
    expect(said({ rule: 'consent', steps: 3 }, others)[1]).toBe('Ask Bob and Cleo whether I may take my move back');
  });

  test('asks nobody where only bots play, and says how much goes with it', () => {
    expect(said({ rule: 'consent', steps: 7 })).toEqual([true, 'Take back my move and the 6 after it']);
  });

  test.each([
    ['nothing to take back', null, {}, 'You have no move to take back'],
    [
      'hidden things shown',
      { rule: 'never' as const, steps: 1 },
      {},
      'Your last move stays: something hidden was shown since',
    ],
    [
      'a game that takes nothing back',
      { rule: 'never' as const, steps: 1 },
      { game: 'final' },
      'In this game no move is taken back',
    ],
    [
      'a wish under discussion',
      { rule: 'free' as const, steps: 1 },
      { undo_asked: { person: 'Bob', agreed: [], needed: ['Ada'] } },
      'Somebody is asking to take a move back',
    ],
  ])('is impossible with %s, and says so', (_, undo, more, label) => {
    expect(said(undo, [], more)).toEqual([false, label]);
  });
});
