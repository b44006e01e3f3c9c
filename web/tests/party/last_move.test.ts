/** Which sentences a television shows as the last move. */
import { describe, expect, test } from 'vitest';
import type { LogEntry } from '$lib/contract';
import { lastMove, lastStep } from '../../src/party/last_move';

const line = (seq: number, seat: number | null, text: string): LogEntry => ({
  seq,
  index: 0,
  seat,
  text,
  undone: false,
});
const texts = (lines: LogEntry[]): string[] => lines.map(({ text }) => text);

describe('the last move', () => {
  const claim = [line(4, 1, 'Saar claims c3.'), line(4, null, 'The stage is full.')];
  const log = [line(3, 0, 'Noor keeps all dice.'), ...claim, line(5, 1, 'Saar keeps all dice.')];

  test('includes the previous actions of the same player', () => {
    expect(texts(lastMove(log))).toEqual(['Saar claims c3.', 'The stage is full.', 'Saar keeps all dice.']);
    expect(texts(lastStep(log))).toEqual(['Saar keeps all dice.']);
  });

  test('is only the last step if nobody, or somebody else, did the one before', () => {
    expect(texts(lastMove([...log, line(6, null, 'PULL!')]))).toEqual(['PULL!']);
    expect(texts(lastMove([...log, line(6, 2, 'Wout passes.')]))).toEqual(['Wout passes.']);
    expect(lastMove([])).toEqual([]);
  });
});
