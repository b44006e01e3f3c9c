import ui from '../index';
import { fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { asked, Bench } from './test_table';
import Board from '../board/Board.svelte';
import Deck from '../hand/Deck.svelte';
import Floor from '../board/Floor.svelte';
import Inspector from '../panels/Inspector.svelte';
import { centre, size } from '../board/geometry';
import type { Cell, Swap } from '../model/wire';

const spot = (cell: Cell): Element => document.querySelector(`[data-at="cell-${cell}"]`)!;
const targets = (): string[] =>
  [...document.querySelectorAll('.spot.target')].map((one) => one.getAttribute('data-at')!.slice(5)).sort();

function drawn(bench: Bench): void {
  bench.draw(Floor);
  const svg = document.querySelector('svg.floor')!;
  const { x, y } = size(bench.table.view.columns, bench.table.view.rows);
  svg.getBoundingClientRect = () => new DOMRect(0, 0, x, y); // one px is one unit of the drawing
}

function at(cell: Cell): PointerEventInit {
  const { x, y } = centre(cell);
  return { clientX: x, clientY: y, pointerId: 1, bubbles: true };
}

async function drag(from: Cell, to: Cell, pointerType = 'mouse'): Promise<void> {
  await fireEvent(spot(from), new PointerEvent('pointerdown', { ...at(from), pointerType }));
  for (const type of ['pointermove', 'pointerup'])
    await fireEvent(spot(to), new PointerEvent(type, { ...at(to), pointerType }));
  await fireEvent.click(spot(to));
}

function hopTable(): { bench: Bench; swap: Swap } {
  const bench = new Bench('bpm-4', asked('song', 'SwapDancers'));
  return { bench, swap: bench.table.offers('SwapDancers')[4]! };
}

describe('the floor', () => {
  it('shows every dancer with its colour, arrow and fan, in the drawing and the accessible name', () => {
    const bench = new Bench('bpm-4', (view) => view.floor.some((one) => one.fan_of !== null));
    bench.draw(Floor);
    expect(screen.getAllByRole('gridcell')).toHaveLength(20);
    const fan = bench.table.view.floor.find((one) => one.fan_of !== null)!;
    const { colour, arrow } = fan.dancer;
    expect(spot(fan.cell).getAttribute('aria-label')).toContain(`${colour} dancer, ${arrow}, fan of`);
    expect(document.querySelectorAll('use[href="#floor-tile"]')).toHaveLength(20);
    expect(document.querySelectorAll(`use[href="#dancer-${colour}"]`).length).toBeGreaterThan(0);
    expect(document.querySelectorAll(`use[href="#dj-${fan.fan_of! + 1}"]`).length).toBeGreaterThan(0);
  });

  it('draws a line through the fans that make one', () => {
    const bench = new Bench('bpm-4', (view) => view.lines.some((line) => line.runs.length));
    bench.draw(Floor);
    const runs = bench.table.view.lines.flatMap((line) => line.runs);
    expect(document.querySelectorAll('.band')).toHaveLength(runs.length);
  });

  it('shows the ball and its next corner', () => {
    const bench = new Bench('bpm-4', (view) => view.ball !== null && view.hop !== view.ball);
    bench.draw(Floor);
    expect(document.querySelector('[data-at="ball"] use')?.getAttribute('href')).toBe('#beachball');
    expect(document.querySelector('.landing')).not.toBeNull();
  });

  it('can be watched by spectators', () => {
    const bench = new Bench('bpm-4', asked('song'));
    bench.watch();
    bench.draw(Board);
    expect(screen.getByRole('grid')).toBeTruthy();
    expect(document.querySelectorAll('.can-lift, .target, .quest')).toHaveLength(0);
  });

  it('offers no actions to a player who may not act', async () => {
    const bench = new Bench('bpm-4', (view, { position }) => view.phase === 'song' && !position.legal.length);
    bench.draw(Floor);
    expect(document.querySelectorAll('.can-lift, .target')).toHaveLength(0);
    await fireEvent.click(spot('a1'));
    expect([bench.acted, bench.wondered]).toEqual([[], []]);
  });
});

describe('moving a dancer', () => {
  it('takes two selections, in either order', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await fireEvent.click(spot(swap.other));
    expect(spot(swap.other).getAttribute('aria-selected')).toBe('true');
    expect(targets()).toContain(swap.cell);
    await fireEvent.click(spot(swap.cell));
    expect(bench.acted).toEqual([swap]);
  });

  it('leaves nothing selected for a second move', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await fireEvent.click(spot(swap.cell));
    await fireEvent.click(spot(swap.other));
    bench.change({ moves: 1 });
    await tick();
    expect(document.querySelectorAll('.spot.held')).toHaveLength(0);
  });

  it('highlights only dancers that can swap', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await fireEvent.click(spot(swap.cell));
    const swaps = bench.table.offers('SwapDancers');
    const partners = swaps.flatMap((one) =>
      one.cell === swap.cell ? [one.other] : one.other === swap.cell ? [one.cell] : [],
    );
    expect(targets()).toEqual(partners.sort());
  });

  it('is cancelled by selecting the same dancer again, or by Escape', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await fireEvent.click(spot(swap.cell));
    await fireEvent.click(spot(swap.cell));
    expect(targets()).toEqual([]);
    await fireEvent.click(spot(swap.cell));
    await fireEvent.keyDown(spot(swap.cell), { key: 'Escape' });
    expect(targets()).toEqual([]);
    expect(bench.acted).toEqual([]);
  });

  it('works by dragging', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await drag(swap.cell, swap.other);
    expect(bench.acted).toEqual([swap]);
  });

  it('is cancelled if the dancer is dropped on an illegal place', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    const partners = bench.model.partners.get(swap.cell)!;
    const wrong = bench.table.view.floor.find(({ cell }) => cell !== swap.cell && !partners.has(cell))!.cell;
    await drag(swap.cell, wrong);
    expect([bench.acted, bench.model.held]).toEqual([[], null]);
  });

  it('waits for a confirmation on a touch screen', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await drag(swap.cell, swap.other, 'touch');
    expect(bench.acted).toEqual([]);
    expect(bench.shell.picked).toEqual(swap);
    bench.shell.confirm();
    expect(bench.acted).toEqual([swap]);
  });

  it('is previewed: the swap and its consequences', async () => {
    vi.useFakeTimers();
    const { bench, swap } = hopTable();
    const { cell, other } = swap;
    const lines = bench.table.view.lines.map((line, seat) =>
      seat ? line : { cells: ['a1', 'b1', 'c1'], superfans: 2, runs: [['a1', 'b1', 'c1']] },
    );
    const openings = [{ cell: other, superfans: 2 }];
    bench.foreseen = [{ type: 'DancersSwapped', seat: 0, cell, other, lines, hop: 'b2', openings }];
    drawn(bench);
    bench.draw(Inspector);
    await fireEvent.click(spot(cell));
    await fireEvent.focus(spot(other));
    await vi.advanceTimersByTimeAsync(100);
    await tick();
    expect(document.querySelector('.bow')).not.toBeNull();
    expect(document.querySelectorAll('.band.ahead')).toHaveLength(1);
    expect(document.querySelectorAll('.opening')).toHaveLength(1);
    expect(screen.getByText('It is told.')).toBeTruthy();
    vi.useRealTimers();
  });
});

describe('by keyboard alone', () => {
  it('the arrow keys move over the floor, and stop at its edge', async () => {
    const { bench } = hopTable();
    drawn(bench);
    (spot('a1') as SVGElement).focus();
    for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowRight', 'ArrowDown'])
      await fireEvent.keyDown(document.activeElement!, { key });
    expect(document.activeElement).toBe(spot('b2'));
    expect(document.querySelectorAll('.spot[tabindex="0"]')).toHaveLength(1);
  });

  it('Enter selects and moves', async () => {
    const { bench, swap } = hopTable();
    drawn(bench);
    await fireEvent.keyDown(spot(swap.cell), { key: 'Enter' });
    await fireEvent.keyDown(spot(swap.other), { key: ' ' });
    expect(bench.acted).toEqual([swap]);
  });
});

describe('other actions on the floor', () => {
  it('a token is placed on an offered cell after its button is selected', async () => {
    const { bench } = hopTable();
    drawn(bench);
    bench.draw(Deck);
    const place = screen.getByRole('button', { name: 'Place' });
    expect(place.dataset.at).toBe('mode-place'); // the first lesson points at it
    await fireEvent.click(place);
    const offered = bench.table.offers('PlaceToken').map((one) => one.cell);
    expect(targets()).toEqual(offered.sort());
    await fireEvent.click(spot(offered[0]!));
    expect(bench.acted).toEqual([{ type: 'PlaceToken', cell: offered[0] }]);
  });

  it('pressing a dancer that can’t get a token shows the reason', async () => {
    const bench = new Bench('bpm-4', asked('gift'));
    drawn(bench);
    const offered = bench.table.offers('PlaceToken').map((one) => one.cell);
    const { cell } = bench.table.view.floor.find((one) => !offered.includes(one.cell))!;
    await fireEvent.click(spot(cell));
    expect([bench.acted, bench.wondered]).toEqual([[], [{ type: 'PlaceToken', cell }]]);
    expect(bench.shell.notice?.sentence).toBe('Because.');
  });

  it('the song’s action can be declined', async () => {
    const { bench } = hopTable();
    bench.draw(Deck);
    await fireEvent.click(screen.getByRole('button', { name: 'Leave it at that' }));
    expect(bench.acted).toEqual([{ type: 'FinishSong' }]);
  });

  it.each([
    ['song', 'SendOnBreak'],
    ['bonus', 'MakeSuperfan'],
    ['stay', 'KeepFan'],
    ['gift', 'PlaceToken'],
  ] as const)('in the phase “%s” %s is one pick', async (phase, type) => {
    const bench = new Bench('bpm-4', asked(phase, type));
    drawn(bench);
    const offers = bench.table.offers(type);
    expect(targets()).toEqual(offers.map((one) => one.cell).sort());
    await fireEvent.click(spot(offers[0]!.cell));
    expect(bench.acted).toEqual([offers[0]]);
  });

  it('a player without tokens may give up a fan, or decline', async () => {
    const bench = new Bench('bpm-4', asked('song'));
    const cell = bench.table.view.floor[0]!.cell;
    const recover = { action: 'RecoverToken', fields: ['cell'], rows: [[cell]], cautions: {} };
    const decline = { action: 'Decline', fields: [], rows: [[]], cautions: {} };
    bench.change({ phase: 'recover', turn: 0 }, [recover, decline], [0]);
    drawn(bench);
    bench.draw(Deck);
    expect(targets()).toEqual([cell]);
    await fireEvent.click(spot(cell));
    await fireEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
    expect(bench.acted).toEqual([{ type: 'RecoverToken', cell }, { type: 'Decline' }]);
  });

  it('a gift names the neighbour who owns the token', () => {
    const bench = new Bench('bpm-4', asked('gift'));
    const { order, at } = bench.table.view;
    const scorer = bench.table.name(order[at]!);
    expect(ui.handLine!(bench.table, bench.model)).toMatch(new RegExp(`^${scorer} had a combo: pick a dancer`));
  });
});
