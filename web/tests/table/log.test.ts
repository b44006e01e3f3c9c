import { cleanup, fireEvent, render, screen as page } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { Table } from '$lib/table/table.svelte';
import Mark from '../../src/plain/Mark.svelte';
import LogLine from '../../src/table/feed/LogLine.svelte';

afterEach(cleanup);

const line = { seq: 1, index: 0, seat: null, text: 'Ada claims a1.', undone: false, event: { type: 'Claimed' } };

function lay(): { table: Table; highlight: ReturnType<typeof vi.fn>; pointed: ReturnType<typeof vi.fn> } {
  const [highlight, pointed] = [vi.fn(() => true), vi.fn()];
  const shown = { explainedEntry: null };
  const table = { ui: { highlight, Mark }, model: 'the model', ...shown } as unknown as Table;
  render(LogLine, { props: { table, entry: line, pointed } });
  return { table, highlight, pointed };
}
const paragraph = (): HTMLElement => page.getByText(line.text).closest('button')!;

it('highlights the places of an entry on hover', async () => {
  const { highlight } = lay();
  await fireEvent(paragraph(), new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  await fireEvent(paragraph(), new PointerEvent('pointerleave', { pointerType: 'mouse' }));
  expect(highlight.mock.calls).toEqual([
    [[line.event], 'the model'],
    [[], 'the model'],
  ]);
});

it('is explained on the board when pressed, and closes its sheet', async () => {
  const { table, highlight, pointed } = lay();
  await fireEvent(paragraph(), new PointerEvent('click', { pointerType: 'touch', bubbles: true }));
  expect(table.explainedEntry).toEqual(line);
  expect(highlight).toHaveBeenLastCalledWith([line.event], 'the model');
  expect(pointed).toHaveBeenCalledTimes(1);
});
