import { describe, expect, it } from 'vitest';
import { Bench } from './test_table';
import Board from '../board/Board.svelte';
import Ending from '../panels/Ending.svelte';
import Hand from '../hand/Hand.svelte';
import LineUp from '../panels/LineUp.svelte';
import Scores from '../panels/Scores.svelte';
import SeatCard from '../panels/SeatCard.svelte';
import type { View } from '../model/wire';

const PHASES = ['setlist', 'cue', 'song', 'bonus', 'stay', 'gift', 'over'];

/** Everything that is written or read out. */
function everything(): string {
  const names = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'));
  return [document.body.textContent, ...names].join('\n');
}

describe.each(['en', 'nl'] as const)('in the language %s', (language) => {
  it.each(PHASES)('every text of the phase “%s” exists, with all parameters filled', (phase) => {
    const bench = new Bench('bpm-4', (view: View) => view.phase === phase, language);
    for (const part of [Board, Hand, LineUp, Scores, Ending]) bench.draw(part);
    for (const seat of [0, 1, 2, 3]) bench.draw(SeatCard, { seat });
    const text = everything();
    expect(text).not.toMatch(/\b(web|hype|quest|colour|arrow|action|choice|points|table)\.[a-z]/);
    expect(text).not.toMatch(/[{}]|undefined|null/);
  });
});

it('a compact card has its full text for screen readers', () => {
  const bench = new Bench('bpm-4', (view: View) => view.phase === 'song' && view.turn !== null);
  const seat = bench.model.view.turn!;
  bench.draw(SeatCard, { seat });
  const { bpm } = bench.model.view.playing[seat]!;
  expect(document.querySelector('.doing .word')!.textContent!.trim()).toBe(`playing now at ${bpm}`);
  expect(document.querySelector('.doing [aria-hidden=true]')!.textContent!.trim()).toBe('playing now');
});

it('a quest shown as a chip says that it is a quest', () => {
  const bench = new Bench('bpm-4', (view: View) => view.phase === 'song');
  bench.draw(Board);
  expect(document.querySelector('.quest .brief')!.textContent).toMatch(/^Quest: \w+/);
});
