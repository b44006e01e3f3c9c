import { cleanup, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { words } from '$lib/i18n.svelte';
import { TableStore } from '$lib/table/table_store.svelte';
import { Table } from '$lib/table/table.svelte';
import { plainTableUi } from '../../src/plain';
import type { Answer, Transport } from '../../src/net/wire';
import Settings from '../../src/Settings.svelte';
import HandLine from '../../src/table/HandLine.svelte';

const post: Transport = {
  state: 'open',
  restarting: false,
  reconnect: () => undefined,
  request: () =>
    Promise.resolve<Answer>({
      type: 'why-not',
      id: '',
      allowed: false,
      sentence: 'Not over the edge.',
      detail: { rule: 'edge' },
    } as Answer),
};
let hex: HTMLButtonElement;

beforeEach(async () => {
  await words.load('en');
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  hex = document.createElement('button');
  document.body.append(hex);
  hex.focus();
});
afterEach(() => {
  cleanup();
  hex.remove();
});

describe('the focus', () => {
  test('returns to the hex when a reason is over', async () => {
    const table = new Table(new TableStore(), post, plainTableUi('toy'));
    render(HandLine, { table, model: table.ui.model(table) });
    await table.whyNot({ type: 'Step' });
    (await screen.findByRole('button', { name: 'The rule' })).focus();
    table.dismissNotice();
    await tick();
    expect(document.activeElement).toBe(hex);
  });

  test('returns to the control that opened a dialog', async () => {
    const { unmount } = render(Settings, { close: () => undefined });
    screen.getByRole('button', { name: 'Close', hidden: true }).focus();
    expect(document.activeElement).not.toBe(hex);
    unmount();
    await tick();
    expect(document.activeElement).toBe(hex);
  });

  test('stays where it was moved meanwhile', async () => {
    const { unmount } = render(Settings, { close: () => undefined });
    const elsewhere = document.createElement('button');
    document.body.append(elsewhere);
    elsewhere.focus();
    unmount();
    await tick();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });
});
