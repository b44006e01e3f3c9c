import { beforeEach, describe, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { catalogue } from '../../src/net/catalogue.svelte';
import type { GameCard } from '../../src/net/api';
import type { TableInfo, UndoInfo } from '../../src/net/wire';
import { undoRequestText, undoState } from '../../src/table/undo';

const someone = (name: string, seat: number | null, here = true, left = false): object => ({
  person: name,
  name,
  seat,
  connected: here,
  left,
});

/** What is said to Ada, at a table with others. */
function said(undo: UndoInfo | null, others: object[] = [], more: Partial<TableInfo> = {}): [boolean, string] {
  const store = new TableStore();
  const people = [someone('Ada', 0), ...others];
  store.table = { game: 'toy', people, undo_asked: null, ...more } as unknown as TableInfo;
  store.you = { person: 'Ada', seat: 0 };
  store.undo = undo;
  const { possible, label } = undoState(store);
  return [possible, label];
}

beforeEach(async () => {
  await words.load('en');
  catalogue.games = [{ key: 'final', undo: false } as GameCard];
});

describe('undo', () => {
  test('is free while nobody has done anything', () => {
    expect(said({ rule: 'free', steps: 1, later: 0 }, [someone('Bob', 1)])).toEqual([true, 'Take my move back']);
  });

  test('names the players it will ask', () => {
    const others = [
      someone('Bob', 1),
      someone('Cleo', 2, false),
      someone('Dirk', 3, false, true),
      someone('Eve', null),
    ];
    const label = 'Ask Bob and Cleo (away) whether I may take my move back';
    expect(said({ rule: 'consent', steps: 3, later: 0 }, others)[1]).toBe(label);
  });

  test('asks nobody if only bots play, and says how many moves of theirs it undoes', () => {
    expect(said({ rule: 'consent', steps: 7, later: 3 })).toEqual([true, 'Take back my move and the 3 after it']);
  });

  test.each([
    ['nothing to take back', null, {}, 'You have no move to take back'],
    [
      'hidden things shown',
      { rule: 'never' as const, steps: 1, later: 0 },
      {},
      'Your last move stays: something hidden has been revealed since',
    ],
    [
      'a game that takes nothing back',
      { rule: 'never' as const, steps: 1, later: 0 },
      { game: 'final' },
      "Moves can't be taken back in this game",
    ],
    [
      'a wish under discussion',
      { rule: 'free' as const, steps: 1, later: 0 },
      { undo_asked: { person: 'Bob', agreed: [], refused: [], needed: ['Ada'] } },
      'Somebody is asking to take a move back',
    ],
  ])('is impossible with %s, and says so', (_, undo, more, label) => {
    expect(said(undo, [], more)).toEqual([false, label]);
  });
});

describe('an undo request', () => {
  /** What Ada reads, at a table with Bob and Cleo, who is away. */
  function told(you: string, more: object, agreed: string[] = []): ReturnType<typeof undoRequestText> {
    const store = new TableStore();
    const people = [someone('Ada', 0), someone('Bob', 1), someone('Cleo', 2, false), someone('Dirk', 3)];
    const undo_asked = { person: 'Bob', agreed, refused: [], needed: ['Ada', 'Cleo', 'Dirk'] };
    store.table = { game: 'toy', people, undo_asked, consent: 'everybody', ...more } as unknown as TableInfo;
    store.you = { person: you, seat: 0 };
    return undoRequestText(store);
  }

  test('is shown to players who have not answered', () => {
    expect(told('Ada', {})).toMatchObject({ toAnswer: true, sentence: 'Bob would like to take a move back.' });
  });

  test('names the players who have not answered, and who is absent', () => {
    const sentence = 'Bob asks to take a move back. Waiting for Cleo (away) and Dirk.';
    expect(told('Ada', {}, ['Ada'])).toMatchObject({ toAnswer: false, sentence });
  });

  test('counts votes if a majority is enough', () => {
    const sentence = 'You asked to take your move back: 1 of 2 have agreed. Waiting for Cleo (away) and Dirk.';
    expect(told('Bob', { consent: 'majority' }, ['Ada'])).toMatchObject({ mine: true, sentence });
  });
});
