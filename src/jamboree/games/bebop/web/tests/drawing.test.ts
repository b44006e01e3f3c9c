import { screen as page, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import Board from '../board/Board.svelte';
import Ending from '../panels/Ending.svelte';
import FamiliesPanel from '../panels/FamiliesPanel.svelte';
import { asked, Bench, steps } from './test_table';
import { settle } from '$tests/test_table';
import Hand from '../hand/Hand.svelte';
import Inspector from '../panels/Inspector.svelte';
import { surely } from '../model/known_dice';
import SeatCard from '../panels/SeatCard.svelte';
import StagesPanel from '../panels/StagesPanel.svelte';
import type { Family, FamilyLead } from '../model/wire';

describe.each(['bebop-4', 'bebop-2'])('every part of %s', (name) => {
  const all = steps(name);

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('is drawn at step %i of eight', (eighth) => {
    const { position } = all[Math.floor(((all.length - 1) * eighth) / 7)]!;
    const bench = new Bench(name, position, eighth % 2 ? 'nl' : 'en');
    for (const part of [Board, Hand, StagesPanel, FamiliesPanel]) bench.draw(part);
    for (let seat = 0; seat < position.view.seats; seat++) bench.draw(SeatCard, { seat });
    const { view } = position;
    expect(document.querySelectorAll('.hit')).toHaveLength(bench.model.board.hexes.length);
    expect(document.querySelectorAll('[data-at^="tile-"]')).toHaveLength(view.tiles.length);
    expect(document.querySelectorAll('[data-at^="token-"]')).toHaveLength(
      view.stages.reduce((sum, stage) => sum + stage.tokens.length, 0),
    );
    expect(document.querySelectorAll('use[data-at^="banner-"]')).toHaveLength(
      view.families.filter((family) => family.banner).length,
    );
  });

  it('gives every hex an accessible name', () => {
    new Bench(name, all.at(-20)!.position).draw(Board);
    const names = [...document.querySelectorAll('.hit')].map((hit) => hit.getAttribute('aria-label'));
    expect(names.every(Boolean)).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('explains the symbol of a majority of preprinted dice', () => {
  const { position } = steps('bebop-4').at(-30)!;
  const family: Family = { colour: 'red', hexes: ['a1', 'a2'], banner: true, leads: [] };
  const lead: FamilyLead = { feature: 'keys', counts: [0, 0, 0, 0], printed: 2, leaders: [], points: [0, 0, 0, 0] };
  const shown = (families: Family[]) =>
    new Bench('bebop-4', { ...position, view: { ...position.view, families } }).draw(FamiliesPanel);
  shown([family]);
  expect(page.queryByText(/^= the preprinted dice/)).toBeNull();
  shown([{ ...family, leads: [lead] }]);
  expect(page.getByText(/^= the preprinted dice have the most/)).toBeTruthy();
});

it('names the piece on a hex', () => {
  const { position } = steps('bebop-4').at(-30)!;
  new Bench('bebop-4', position).draw(Board);
  const tile = position.view.tiles.find((one) => one.die && one.seat === 1)!;
  const label = document.querySelector(`[data-hex="${tile.hex}"]`)?.getAttribute('aria-label');
  expect(label).toContain(`${tile.die!.colour} ${tile.die!.face}: Bob`);
});

it('offers no actions to a spectator', () => {
  const bench = asked('bebop-4', 'turn');
  bench.watch();
  for (const part of [Board, Hand, StagesPanel, FamiliesPanel]) bench.draw(part);
  expect(document.querySelectorAll('.legal, .piece')).toHaveLength(document.querySelectorAll('g.piece').length);
  expect(document.querySelectorAll('[data-at^="queue-"]')).toHaveLength(bench.table.view.queue.length);
});

it('keeps hidden dice hidden', () => {
  const { position } = steps('bebop-2').at(2)!;
  new Bench('bebop-2', position).draw(SeatCard, { seat: 1 });
  expect(position.view.hands[1]!.dice).toBeNull();
  expect(document.body.innerHTML).not.toContain('face-');
});

it('shows the dice that a hidden hand contains in every belief', () => {
  const red = { colour: 'red', face: 'keys' };
  const blurred = { colour: 'aqua', face: null };
  const hand = {
    count: 3,
    dice: null,
    beliefs: [
      { known: [red, blurred, red], weight: 0.5 },
      { known: [blurred, red], weight: 0.5 },
    ],
  };
  expect(surely(hand)).toEqual([red, blurred]);
  expect(surely({ count: 3, dice: null, beliefs: [] })).toEqual([]);
});

it('lists the stages still to perform, the nearest first, with their leaders', () => {
  const { position } = steps('bebop-4').at(120)!;
  new Bench('bebop-4', position).draw(StagesPanel);
  const waiting = position.view.stages.filter((stage) => stage.tokens.length);
  const rows = page.getAllByRole('button');
  expect(rows).toHaveLength(waiting.length);
  const least = Math.min(...waiting.map((stage) => stage.missing.length));
  expect(rows[0]!.getAttribute('aria-label')).toContain(`${least} seat`);
});

it('shows the result if the game ended now', () => {
  const { position } = steps('bebop-4').at(200)!;
  new Bench('bebop-4', position).draw(FamiliesPanel);
  const best = Math.max(...position.view.projected);
  expect(within(page.getAllByRole('listitem')[0]!).getByText(String(best))).toBeTruthy();
});

it('explains a move before it is made', async () => {
  vi.useFakeTimers();
  const bench = asked('bebop-4', 'turn');
  const die = { colour: 'red', face: 'keys' };
  bench.points = [10, 0, 0, 0];
  bench.foreseen = [
    { type: 'FamilyScored', seat: 0, die, family: ['a1', 'a2'], matching: ['a1', 'a2'], points: 2 },
    { type: 'StagePerformed', seat: 0, stage: 'D' },
    {
      type: 'FeatureScored', stage: 'D', token: { feature: 'brass', star: false }, value: 8,
      listeners: [['a1', 'a2'], ['b1'], [], []], winners: [0], points: 8, token_to: 0, marker: 7,
    },
  ]; // prettier-ignore
  bench.table.consider({ type: 'BookSeat', die: 0, hex: 'a1' });
  bench.draw(Inspector);
  await vi.advanceTimersByTimeAsync(100);
  await settle();
  vi.useRealTimers();
  const text = document.body.textContent!.replace(/\s+/g, ' ');
  expect(text).toContain('Book a1: +10');
  expect(text).toContain('2 keys dice in this red family.');
  expect(text).toContain('Stage D plays');
  expect(text).toContain('brass, worth 8: You, 2 to 1');
});

it('separates a last booking from the last count', async () => {
  vi.useFakeTimers();
  const bench = asked('bebop-4', 'turn');
  const die = { colour: 'red', face: 'keys' };
  const count = { type: 'MajorityScored' as const, family: ['a1', 'a2'], printed: 0 };
  bench.points = [11, 5, 0, 0];
  bench.foreseen = [
    { type: 'FamilyScored', seat: 0, die, family: ['a1', 'a2'], matching: ['a1', 'a2'], points: 2 },
    { ...count, colour: 'red', feature: 'keys', counts: [2, 0, 0, 0], winners: [0], points: [5, 0, 0, 0] },
    { ...count, colour: 'green', feature: 'brass', counts: [1, 1, 0, 0], winners: [0, 1], points: [4, 5, 0, 0] },
    { ...count, colour: 'aqua', feature: 'brass', counts: [1, 0, 0, 0], winners: [0], points: [0, 0, 0, 0] },
  ];
  bench.table.consider({ type: 'BookSeat', die: 0, hex: 'a1' });
  bench.draw(Inspector);
  await vi.advanceTimersByTimeAsync(100);
  await settle();
  vi.useRealTimers();
  const text = document.body.textContent!.replace(/\s+/g, ' ');
  expect(text).toContain('Book a1: +2, and +9 at the last count');
  expect(text).toContain('Most keys, red family: You +5');
  expect(text).toContain(`Most brass, green family: You +4 and ${bench.table.name(1)} +5`);
  expect(text).not.toContain('aqua');
});

it('shows the winner and the sources of all points at the end', () => {
  const { position } = steps('bebop-4').at(-1)!;
  new Bench('bebop-4', position).draw(Ending);
  for (const score of position.outcome!.scores) expect(page.getAllByText(String(score)).length).toBeGreaterThan(0);
  const winner = position.outcome!.winners[0]!;
  const row = page.getAllByRole('row').find((one) => one.classList.contains('won'))!;
  const cells = within(row)
    .getAllByRole('cell')
    .map((cell) => Number(cell.textContent));
  const { families, stages, majorities } = position.view.points[winner]!;
  expect(cells.slice(0, 3)).toEqual([families, stages, majorities]);
  expect(cells.at(-1)).toBe(families + stages + majorities);
});
