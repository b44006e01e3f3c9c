/** The headline and the captions of a big screen. */
import { describe, expect, test } from 'vitest';
import { Bench } from './test_table';
import ui from '../index';
import type { View } from '../model/wire';

function at(change: Partial<View>): Bench {
  const bench = new Bench('bpm-4', () => true);
  bench.change(change);
  return bench;
}

describe('the headline', () => {
  const headline = (people: number[], change: Partial<View>): string | null => {
    const { table, model } = at(change);
    return ui.tvPrompt!(table, model, people);
  };

  test('says what all have to do, and names the last ones', () => {
    expect(headline([0, 1, 2, 3], { phase: 'setlist' })).toBe('Leave two songs at home!');
    expect(headline([0, 1, 2], { phase: 'cue', round: 3 })).toBe('Round 3: pick your song!');
    expect(headline([2], { phase: 'cue', round: 3 })).toMatch(/^Pick your song, .+!$/);
  });

  test('follows a song: first the move, then the token', () => {
    expect(headline([1], { phase: 'song', moves: 1, places: 1 })).toContain('move dancers, then place a token');
    expect(headline([1], { phase: 'song', moves: 0, places: 1 })).toMatch(/: place a token$/);
    expect(headline([1], { phase: 'song', moves: 1, places: 0 })).toMatch(/: move the dancers$/);
  });

  test.each(['hype', 'welcome', 'recover', 'bonus', 'stay', 'gift'])('has words for %s', (phase) => {
    expect(headline([1], { phase })).not.toContain('web.tv');
  });
});

test('captions explain every phase of the first round', () => {
  const caption = (phase: string, round: number): string | null => {
    const { table, model } = at({ phase, round });
    return ui.tvCaption!(table, model);
  };
  for (const phase of ['setlist', 'hype', 'cue', 'welcome', 'recover', 'song', 'bonus', 'stay', 'gift']) {
    expect(caption(phase, 1)).not.toContain('web.tv');
    expect(caption(phase, 2)).toBe(null);
  }
});
