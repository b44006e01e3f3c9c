import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import CodeEntry from '../../src/home/CodeEntry.svelte';
import { api, RequestFailed } from '../../src/net/api';
import type { TableResponse } from '../../src/net/wire';

beforeEach(() => words.load('en'));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  location.hash = '';
});

async function write(text: string): Promise<void> {
  render(CodeEntry);
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: text } });
  await fireEvent.submit(screen.getByRole('textbox').closest('form')!);
}

test.each([' ABC def', 'abc-DEF', 'https://here/#/t/abcdef'])('a code is normalised: %s', async (text) => {
  const table = vi.spyOn(api, 'table').mockResolvedValue({} as TableResponse);
  await write(text);
  await vi.waitFor(() => expect(location.hash).toBe('#/t/abcdef'));
  expect(table).toHaveBeenCalledWith('abcdef');
});

test('an unknown code shows an error at the input', async () => {
  vi.spyOn(api, 'table').mockRejectedValue(new RequestFailed({ code: 'unknown-table', sentence: '' }));
  const scrolled: Element[] = [];
  Element.prototype.scrollIntoView = function (this: Element): void {
    scrolled.push(this);
  };
  await write('zzzzzz');
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('There is no table with this code.'));
  expect(location.hash).toBe('');
  expect(scrolled).toEqual([screen.getByRole('alert')]); // on a phone the error would be below the fold
});
