import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { api } from '../../src/net/api';
import JoinCode from '../../src/party/JoinCode.svelte';

beforeEach(() => words.load('en'));
afterEach(cleanup);

test.each([
  ['http://127.0.0.1:8300', 1],
  ['http://localhost:8300', 1],
  ['http://[::1]:8300', 1],
  ['http://192.168.1.7:8300', 0],
  ['https://games.example.org', 0],
])('warns when phones can’t reach %s', async (address, warnings) => {
  vi.spyOn(api, 'invite').mockResolvedValue({ link: `${address}/#/t/abc` });
  render(JoinCode, { code: 'abc', full: false });
  await screen.findByText(new URL(address).host);
  expect(screen.queryAllByText(/Phones can't reach this address/)).toHaveLength(warnings);
});
