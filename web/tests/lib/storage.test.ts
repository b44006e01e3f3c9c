import { beforeEach, describe, expect, test, vi } from 'vitest';

const KEYS = ['around', 'firsts', 'kept', 'lessons', 'opponents', 'settings', 'tables'];

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

/** Open a page anew where something else lies in place of all that it keeps. */
async function afresh(kept: string): Promise<unknown[]> {
  for (const key of KEYS) localStorage.setItem(`jamboree.${key}`, kept);
  const { settings } = await import('$lib/settings.svelte');
  const { joinedTables } = await import('../../src/net/joined_tables');
  const replays = await import('../../src/app/offline_replays.svelte');
  const { botGameSettings } = await import('../../src/home/bot_game_settings.svelte');
  const { lastNames } = await import('../../src/hotseat/setup');
  const { courseOf } = await import('../../src/learn/lesson_tables');
  const { level, seats } = botGameSettings.of({ key: 'bebop', seats: [2, 4] } as never);
  const { language, theme, pace } = settings.stored;
  return [
    language,
    theme,
    pace,
    joinedTables.all(),
    replays.offlineReplays.all,
    [level, seats],
    lastNames(),
    courseOf('bebop'),
  ];
}

describe('a stored value', () => {
  test.each([
    'null',
    '5',
    '"x"',
    '{}',
    '[null]',
    '[[]]',
    '{"a":',
    '[{"code":null}]',
    '{"language":"xx","theme":5,"pace":null,"bebop":{"level":7},"name":[]}',
  ])('is ignored if malformed: %s', { timeout: 30_000 }, async (kept) => {
    expect(await afresh(kept)).toEqual(['en', 'system', 'relaxed', [], [], ['rookie', 3], ['', ''], 'new']);
  });

  test('is read back', async () => {
    const { joinedTables } = await import('../../src/net/joined_tables');
    joinedTables.remember('abcdef', 'bebop');
    joinedTables.remember('ghijkl', 'bpm');
    joinedTables.note('abcdef', true);
    expect(joinedTables.all()).toEqual([
      { code: 'ghijkl', game: 'bpm' },
      { code: 'abcdef', game: 'bebop', over: true },
    ]);
  });
});
