import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { type Bench, benchAt } from './test_table';
import { allThere, settle } from '$tests/test_table';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';

vi.mock('$lib/screen.svelte', () => ({ screen: { size: 'narrow', small: true } }));

function shown(phase: string): { bench: Bench; board: HTMLElement; hand: HTMLElement } {
  const bench = benchAt('boogie-8', ({ position: { view } }) => view.phase === phase);
  return { bench, board: bench.draw(Board), hand: bench.draw(Hand) };
}

describe('on a phone', () => {
  it('the timer and “done” are beside the hand, which shows every card', async () => {
    const { bench, board, hand } = shown('jump');
    expect(within(board).queryByRole('button', { name: 'I am done' })).toBeNull();
    expect(board.querySelector('.dial')).toBeNull();
    expect(hand.querySelector('.dial')!.textContent).toContain('0/8');
    expect(hand.querySelectorAll('.spread [data-card]').length).toBeGreaterThan(6);
    await fireEvent.click(within(hand).getByRole('button', { name: 'I am done' }));
    await settle();
    expect(bench.acted).toEqual([{ type: 'SayDone' }]);
  });

  it('“done” is not offered after PULL', async () => {
    const { bench } = shown('jump');
    bench.step(() => ({ phase: 'pulled' }));
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'I am done' }));
    await settle();
    expect(bench.acted).toEqual([]);
  });

  it('the hand contains only cards in the plane phase', () => {
    const { hand } = shown('plane');
    expect(hand.querySelector('.minute')).toBeNull();
    expect(hand.querySelectorAll('[data-card]').length).toBeGreaterThan(6);
  });

  it('the cards are hidden during the jury', () => {
    const bench = benchAt('boogie-8', ({ position: { view } }) => view.phase === 'preparation' && view.jumprun === 2);
    const hand = bench.draw(Hand);
    expect(hand.querySelectorAll('[data-card]')).toHaveLength(0);
    expect(hand.querySelector('.tray')!.className).toContain('away');
  });

  it('messages do not cover the hand while cards are laid', () => {
    expect(shown('jump').hand.querySelector('[data-hand-stays]')).toBeTruthy();
    expect(shown('plane').hand.querySelector('[data-hand-stays]')).toBeNull();
  });

  it('nothing covers the jumps while a card is dragged', async () => {
    const { bench, board } = shown('jump');
    bench.model.laying.take('sure', -1);
    await allThere();
    const solo = board.querySelector('[data-jump="s0"]')!;
    await fireEvent(solo, new PointerEvent('pointerenter', { pointerType: 'touch' }));
    expect(bench.table.intent).toBeNull();
    await fireEvent(solo, new PointerEvent('pointerenter', { pointerType: 'mouse' }));
    expect(bench.table.intent).toMatchObject({ type: 'PlayCard', card: 'sure' });
  });

  it('the last ten seconds are visible without sound', async () => {
    const { bench, board } = shown('jump');
    const clock = (left: number): void => {
      bench.store.clock = { kind: 'phase', left, of: 60, running: true, seats: [0], received: performance.now() };
    };
    clock(30);
    await settle();
    expect([board.querySelector('.urgent'), board.querySelector('.last')]).toEqual([null, null]);
    clock(8);
    await settle();
    expect(board.querySelector('.urgent')).toBeTruthy();
    expect(board.querySelector('.last')!.textContent).toBe('8');
  });
});
