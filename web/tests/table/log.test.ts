import { cleanup, fireEvent, render, screen as page } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { Table } from '$lib/table/table.svelte';
import Mark from '../../src/plain/Mark.svelte';
import LogLine from '../../src/table/feed/LogLine.svelte';

afterEach(cleanup);

const line = { seq: 1, place: 0, seat: null, text: 'Ada claims a1.', undone: false };

function lay(names: boolean): { point: ReturnType<typeof vi.fn>; pointed: ReturnType<typeof vi.fn> } {
  const [point, pointed] = [vi.fn(() => names), vi.fn()];
  const table = { face: { point, Mark }, model: 'the model', toMe: (text: string) => text } as unknown as Table;
  render(LogLine, { props: { table, line, pointed } });
  return { point, pointed };
}
const paragraph = (): HTMLElement => page.getByText(line.text).closest('p')!;

it('points at what a line names while a mouse is over it', async () => {
  const { point } = lay(true);
  await fireEvent(paragraph(), new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  await fireEvent(paragraph(), new PointerEvent('pointerleave', { pointerType: 'mouse' }));
  expect(point.mock.calls).toEqual([
    [line.text, 'the model'],
    ['', 'the model'],
  ]);
});

it.each([true, false])('makes way for the board when a finger taps a line that names a place (%s)', async (names) => {
  const { pointed } = lay(names);
  await fireEvent(paragraph(), new PointerEvent('click', { pointerType: 'touch', bubbles: true }));
  expect(pointed).toHaveBeenCalledTimes(names ? 1 : 0);
});
