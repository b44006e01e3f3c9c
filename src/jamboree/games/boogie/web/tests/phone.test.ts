import './gaps';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Bench, benchAt, settle } from './bench';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';

vi.mock('$lib/screen.svelte', () => ({ screen: { size: 'narrow', small: true } }));
afterEach(cleanup);

function shown(phase: string): { bench: Bench; board: HTMLElement; hand: HTMLElement } {
  const bench = benchAt('boogie-8', ({ position: { view } }) => view.phase === phase);
  const props = { table: bench.table, model: bench.model };
  return { bench, board: render(Board, { props }).container, hand: render(Hand, { props }).container };
}

describe('on a phone', () => {
  it('the minute and “done” are by the hand, where every card lies open', async () => {
    const { bench, board, hand } = shown('jump');
    expect(within(board).queryByRole('button', { name: 'I am done' })).toBeNull();
    expect(board.querySelector('.dial')).toBeNull();
    expect(hand.querySelector('.dial')!.textContent).toContain('0/8');
    expect(hand.querySelectorAll('.spread [data-card]').length).toBeGreaterThan(6);
    await fireEvent.click(within(hand).getByRole('button', { name: 'I am done' }));
    await settle();
    expect(bench.asked).toEqual([{ type: 'SayDone' }]);
  });

  it('nothing can be said to be done once PULL was called', async () => {
    const { bench } = shown('jump');
    bench.step(() => ({ phase: 'pulled' }));
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'I am done' }));
    await settle();
    expect(bench.asked).toEqual([]);
  });

  it('the hand in the plane has cards only', () => {
    const { hand } = shown('plane');
    expect(hand.querySelector('.minute')).toBeNull();
    expect(hand.querySelectorAll('[data-card]').length).toBeGreaterThan(6);
  });
});
