import { render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import ui from '../../../src/jamboree/games/bebop/web';
import type { Action, Event, View } from '../../../src/jamboree/games/bebop/web/model/wire';
import type { TableUi } from '$lib/contract';
import { settings } from '$lib/settings.svelte';
import FirstTimeTip from '../../src/table/annotations/FirstTimeTip.svelte';
import FoldedTip from '../../src/table/annotations/FoldedTip.svelte';
import { FirstTimeTips } from '../../src/table/annotations/first_time_tips.svelte';
import { momentsOf } from '../../src/table/annotations/moments';
import { Bench, settle, updates } from '../test_table';

function table(more: Partial<TableUi> = {}): Bench<View, Action, Event, unknown> {
  const first = updates<View, Event>('bebop-2')[0]!;
  return new Bench({ ...ui, ...more } as never, 'bebop-2', first.position);
}

const CLAIM = { type: 'SeatClaimed', seat: 1, tile: 'double', hex: 'd4', face_down: false };

/** The tip on what has happened by the time I may choose. */
async function tipOn(event: object, firsts: FirstTimeTips): Promise<FirstTimeTips> {
  await momentsOf('bebop');
  firsts.hear(event as never);
  firsts.check();
  vi.advanceTimersByTime(150);
  return firsts;
}

describe('a first-time tip', () => {
  beforeEach(() => {
    localStorage.removeItem('jamboree.firsts');
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  test('is shown once per browser', async () => {
    const firsts = await tipOn(CLAIM, new FirstTimeTips(table().shell));
    expect(firsts.shown).toMatchObject({ moment: { key: 'double' }, places: ['hex-d4'] });
    const later = await tipOn(CLAIM, new FirstTimeTips(table().shell));
    expect(later.now?.moment.key).not.toBe('double');
  });

  test('waits until I may choose', async () => {
    const bench = table();
    bench.change({}, undefined, [1]);
    const firsts = await tipOn(CLAIM, new FirstTimeTips(bench.shell));
    expect(firsts.now).toBeNull();
    bench.change({}, undefined, [0]);
    firsts.check();
    vi.advanceTimersByTime(150);
    expect(firsts.shown?.moment.key).toBe('double');
  });

  test('gives way to a hint, and can be hidden', async () => {
    const { shell } = table();
    const firsts = new FirstTimeTips(shell);
    render(FirstTimeTip, { table: shell, tips: firsts });
    await tipOn(CLAIM, firsts);
    await settle();
    expect(screen.getByRole('complementary').textContent).toContain('Double Claim');
    shell.hints.state = 'answered';
    await settle();
    expect(screen.queryByRole('complementary')).toBeNull();
    shell.hints.state = 'closed';
    await settle();
    screen.getByRole('button', { name: 'Hide this' }).click();
    await settle();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  test('is folded while a clock runs, until it is opened', async () => {
    const bench = table();
    const clock = { kind: 'phase' as const, left: 42, of: 60, running: true, seats: [] };
    bench.store.receive({ type: 'clock', seq: bench.store.seq, clock });
    const firsts = new FirstTimeTips(bench.shell);
    render(FoldedTip, { tips: firsts });
    await tipOn(CLAIM, firsts);
    await settle();
    expect([firsts.folded, firsts.shown]).toEqual([true, null]);
    screen.getByRole('button', { name: '1 tip' }).click();
    await settle();
    expect([firsts.folded, firsts.shown?.moment.key]).toEqual([false, 'double']);
  });

  test.each([
    ['its phase', (bench: ReturnType<typeof table>) => bench.change({ phase: 'take a die' })],
    ['my move', (bench: ReturnType<typeof table>) => void bench.shell.act({ type: 'Pass' })],
    ['my turn', (bench: ReturnType<typeof table>) => bench.change({}, undefined, [1])],
  ])('ends with %s', async (_, goOn) => {
    const bench = table({ phase: (view) => (view as View).phase });
    const firsts = new FirstTimeTips(bench.shell);
    const ended = $effect.root(() => firsts.follow());
    await tipOn(CLAIM, firsts);
    await settle();
    expect(firsts.shown).not.toBeNull();
    goOn(bench);
    await settle();
    expect(firsts.now).toBeNull();
    ended();
  });

  test('waits for its next time while another one is shown', async () => {
    const firsts = await tipOn(CLAIM, new FirstTimeTips(table().shell));
    await tipOn({ ...CLAIM, tile: 'vip' }, firsts);
    firsts.end();
    firsts.check();
    vi.advanceTimersByTime(150);
    expect(firsts.now?.moment.key).not.toBe('vip');
  });

  test('is not shown if tips are switched off', async () => {
    settings.change({ firsts: false });
    const firsts = await tipOn(CLAIM, new FirstTimeTips(table().shell));
    expect(firsts.now).toBeNull();
    settings.change({ firsts: true });
  });
});
