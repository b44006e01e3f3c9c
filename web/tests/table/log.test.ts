import { cleanup, fireEvent, render, screen as page } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { Table } from '$lib/table/table.svelte';
import Mark from '../../src/plain/Mark.svelte';
import LogLine from '../../src/table/feed/LogLine.svelte';

afterEach(cleanup);

const line = { seq: 1, place: 0, seat: null, text: 'Ada claims a1.', undone: false };

function lay(): { table: Table; point: ReturnType<typeof vi.fn>; pointed: ReturnType<typeof vi.fn> } {
  const [point, pointed] = [vi.fn(() => true), vi.fn()];
  const shown = { explained: null };
  const table = { face: { point, Mark }, model: 'the model', ...shown } as unknown as Table;
  render(LogLine, { props: { table, line, pointed } });
  return { table, point, pointed };
}
const paragraph = (): HTMLElement => page.getByText(line.text).closest('button')!;

it('points at what a line names while a mouse is over it', async () => {
  const { point } = lay();
  await fireEvent(paragraph(), new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  await fireEvent(paragraph(), new PointerEvent('pointerleave', { pointerType: 'mouse' }));
  expect(point.mock.calls).toEqual([
    [line.text, 'the model'],
    ['', 'the model'],
  ]);
});

it('is explained on the board when it is pressed, and makes way for it', async () => {
  const { table, point, pointed } = lay();
  await fireEvent(paragraph(), new PointerEvent('click', { pointerType: 'touch', bubbles: true }));
  expect(table.explained).toEqual(line);
  expect(point).toHaveBeenLastCalledWith(line.text, 'the model');
  expect(pointed).toHaveBeenCalledTimes(1);
});
