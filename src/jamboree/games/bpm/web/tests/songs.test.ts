import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { tips } from '$lib/tips.svelte';
import { asked, Bench } from './test_table';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';
import ui from '../index';
import Inspector from '../panels/Inspector.svelte';
import LineUp from '../panels/LineUp.svelte';
import SeatCard from '../panels/SeatCard.svelte';
import { released, spoken } from '../model/songs';
import type { Song, View } from '../model/wire';

const SONG: Song = {
  number: 1,
  title: 'Hop Secret',
  artist: 'The Undercovers',
  bpm: 104,
  released: '2009-07-04',
  colour: 'green',
  action: 'hop',
};

function mine(bench: Bench): Song[] {
  return bench.table.view.hands[0]!.songs!;
}

const button = (bench: Bench, slot: number): HTMLElement =>
  screen.getByRole('button', { name: spoken(mine(bench)[slot]!, bench.table) });

describe('the setlist', () => {
  it('offers ten songs, of which two are left at home', async () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    bench.draw(Board);
    bench.draw(Hand);
    expect(mine(bench)).toHaveLength(10);
    const seal = screen.getByRole('button', { name: 'Leave these two' });
    await fireEvent.click(button(bench, 6));
    await fireEvent.click(seal);
    expect(bench.shell.notice?.sentence).toBe('Pick two to leave at home: 1 of 2.');
    expect([seal.ariaDisabled, bench.acted]).toEqual(['true', []]);
    await fireEvent.click(button(bench, 2));
    await fireEvent.click(seal);
    expect(bench.acted).toEqual([{ type: 'DiscardSongs', first: 2, second: 6 }]);
  });

  it('locates the songs of a hint for its owner', () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    const board = bench.draw(Board);
    const me = bench.table.me!;
    const leave = { type: 'DiscardSongs', first: 1, second: 4 } as const;
    const found = ui.targets!(leave, bench.model, me);
    expect(found).toEqual(['song-1', 'song-4']);
    for (const name of found) expect(board.querySelector(`[data-at=${name}]`)).toBeTruthy();
    expect(ui.targets!(leave, bench.model, (me + 1) % 4), 'songs of another player lie nowhere').toEqual([]);
    const swap = { type: 'SwapDancers', cell: 'b3', other: 'c3' } as const;
    expect(ui.targets!(swap, bench.model, me)).toEqual(['cell-b3', 'cell-c3']);
  });

  it('takes the first song back when a third is left at home', async () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    bench.draw(Board);
    for (const slot of [1, 4, 8]) await fireEvent.click(button(bench, slot));
    expect(bench.model.atHome).toEqual([4, 8]);
    expect(button(bench, 1).getAttribute('aria-pressed')).toBe('false');
    await fireEvent.click(button(bench, 8));
    expect(bench.model.atHome).toEqual([4]);
  });

  it('can be sorted by BPM, and keeps the selected songs', async () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    const board = bench.draw(Board);
    bench.draw(Hand);
    await fireEvent.click(screen.getByRole('button', { name: 'By BPM' }));
    const shown = [...board.querySelectorAll('.setlist .bpm')].map((one) => Number(one.textContent));
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    await fireEvent.click(button(bench, 6));
    expect(bench.model.atHome).toEqual([6]);
  });

  it('explains each song on hover or a long press', () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    bench.draw(Board);
    mine(bench).forEach((song, slot) => {
      const told = button(bench, slot).getAttribute('aria-description');
      expect(told).toContain(bench.table.t(`web.help.${song.action}`));
      expect(told).toContain(`${song.colour} dancer`);
    });
  });

  it('can be put aside to see the floor', async () => {
    const bench = new Bench('bpm-4', asked('setlist', 'DiscardSongs'));
    bench.draw(Board);
    bench.draw(Hand);
    expect(screen.queryByRole('grid')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'See the floor' }));
    expect(screen.getByRole('grid')).toBeTruthy();
  });
});

describe('the cue', () => {
  it('takes one press on a song of the hand', async () => {
    const bench = new Bench('bpm-4', asked('cue', 'CueSong'));
    bench.draw(Hand);
    await fireEvent.click(button(bench, 3));
    expect(bench.acted).toEqual([{ type: 'CueSong', slot: 3 }]);
  });

  it('sends the right song from a hand sorted by BPM', async () => {
    const bench = new Bench('bpm-4', asked('cue', 'CueSong'));
    bench.draw(Hand);
    const sort = screen.getByRole('button', { name: 'By BPM' });
    await fireEvent.click(sort);
    const sorted = [...mine(bench)].sort((one, other) => one.bpm - other.bpm);
    const shown = screen.getAllByRole('listitem').map((one) => one.querySelector('.bpm')!.textContent);
    expect(shown).toEqual(sorted.map((song) => `${song.bpm}`));
    await fireEvent.click(screen.getAllByRole('listitem')[0]!.querySelector('button')!);
    expect(bench.acted).toEqual([{ type: 'CueSong', slot: mine(bench).indexOf(sorted[0]!) }]);
    await fireEvent.click(sort);
    const dealt = screen.getAllByRole('listitem').map((one) => one.querySelector('.bpm')!.textContent);
    expect(dealt).toEqual(mine(bench).map((song) => `${song.bpm}`));
  });

  it('shows the cued song, which can be kept', async () => {
    const bench = new Bench('bpm-4', asked('cue', 'Decline'));
    bench.draw(Hand);
    const [slot] = bench.table.view.sealed[0]!.slots!;
    expect(button(bench, slot!).getAttribute('aria-pressed')).toBe('true');
    await fireEvent.click(screen.getByRole('button', { name: 'Leave it sealed' }));
    expect(bench.acted).toEqual([{ type: 'Decline' }]);
  });

  it('is a carousel of songs on a phone at a party', async () => {
    const bench = new Bench('bpm-4', asked('cue'));
    vi.spyOn(bench.shell, 'controller', 'get').mockReturnValue(true);
    bench.draw(Board);
    expect(screen.queryByRole('grid')).toBeNull(); // the floor is up there
    const crate = within(screen.getByRole('group', { name: 'Your crate' }));
    await fireEvent.click(crate.getByRole('button', { name: 'The next song' }));
    expect(bench.table.intent).toEqual({ type: 'CueSong', slot: 1 });
    expect(crate.getByRole('heading').textContent).toBe(mine(bench)[1]!.title);
    const finger = screen.getByRole('group', { name: 'Your crate' });
    await fireEvent(finger, new PointerEvent('pointerdown', { clientX: 100, bubbles: true }));
    await fireEvent(finger, new PointerEvent('pointerup', { clientX: 200, bubbles: true }));
    expect(bench.table.intent).toEqual({ type: 'CueSong', slot: 0 });
    const slower = mine(bench).filter(({ bpm }) => bpm < mine(bench)[0]!.bpm).length;
    expect(finger.textContent).toContain(slower ? `Of your ${mine(bench).length} songs` : 'your slowest');
    expect(bench.acted).toEqual([]);
  });

  it('shows of the others only that they are ready', () => {
    const someReady = (view: View): boolean =>
      view.phase === 'cue' && view.sealed.some((one) => one.done) && view.sealed.some((one) => !one.done);
    const bench = new Bench('bpm-4', someReady);
    for (const seat of [0, 1, 2, 3]) {
      const card = bench.draw(SeatCard, { seat });
      const words = bench.table.view.sealed[seat]!.done ? 'ready' : 'choosing…';
      expect(within(card).getByText(words, { ignore: '[aria-hidden=true]' })).toBeTruthy();
    }
  });
});

describe('a song under the pointer', () => {
  it('explains its effect, and highlights the dancers it could turn into fans', async () => {
    const bench = new Bench('bpm-4', asked('cue', 'CueSong'));
    bench.change({ bends: [] });
    bench.draw(Board);
    bench.table.consider(bench.table.offers('CueSong')[0]!);
    const song = mine(bench)[bench.table.offers('CueSong')[0]!.slot]!;
    const told = bench.draw(Inspector).textContent;
    expect(told).toContain(bench.table.t(`web.help.${song.action}`));
    expect(told).toContain(`on a${song.action === 'break' ? 'ny' : ''} ${song.colour} dancer`);
    const fits = bench.table.view.floor.filter((spot) => spot.dancer.colour === song.colour && spot.fan_of === null);
    expect(fits.length).toBeGreaterThan(0);
    expect(document.querySelectorAll('.spot.lit')).toHaveLength(fits.length);
  });
});

describe('a piece that can’t be used now', () => {
  it('a dancer in the cue phase is explained', async () => {
    const bench = new Bench('bpm-4', asked('cue', 'CueSong'));
    const board = bench.draw(Board);
    const [spot] = bench.table.view.floor;
    await fireEvent.click(board.querySelector(`[data-at="cell-${spot!.cell}"]`)!);
    expect(tips.shown?.text).toContain(`${spot!.dancer.colour} dancer`);
    expect(tips.shown?.text).toContain('Dancers move when somebody’s song plays.');
    expect([bench.acted, bench.wondered]).toEqual([[], []]);
  });

  it('a song while others play is explained', async () => {
    const bench = new Bench('bpm-4', (view) => view.phase === 'song' && view.turn !== 0);
    bench.draw(Hand);
    await fireEvent.click(button(bench, 0));
    const [song] = mine(bench);
    expect(tips.shown?.text).toContain(`${song!.title}, ${song!.bpm} BPM`);
    expect(bench.acted).toEqual([]);
  });
});

describe('a seat', () => {
  it('shows the playing order, and no player as done before the first song', () => {
    const bench = new Bench('bpm-4', asked('song'));
    bench.change({ phase: 'welcome', turn: bench.table.view.order[1]!, at: 0 });
    const [first] = bench.table.view.order;
    const card = bench.draw(SeatCard, { seat: first! });
    expect(card.textContent).toContain(`plays 1st at ${bench.table.view.playing[first!]!.bpm}`);
    expect(card.textContent).not.toContain('has played');
  });
});

describe('the line-up', () => {
  it('stands beside the floor of a big screen, where that leaves room', () => {
    const bench = new Bench('bpm-4', (view) => view.order.length === 4 && view.phase === 'song');
    vi.spyOn(bench.shell, 'onScreen', 'get').mockReturnValue(true);
    expect(bench.draw(Board).querySelectorAll('.songs li')).toHaveLength(4);
    bench.change({ rows: 4 });
    expect(bench.draw(Board).querySelector('.songs')).toBeNull();
  });

  it('lists the songs in playing order, and marks the current one', () => {
    const bench = new Bench('bpm-4', (view) => view.phase === 'song' && view.at === 1);
    bench.draw(LineUp);
    const { order, playing } = bench.table.view;
    const shown = screen.getAllByRole('listitem').map((one) => one.querySelector('.visually-hidden')!.textContent);
    expect(shown).toEqual(order.map((seat) => `${spoken(playing[seat]!, bench.table)}, ${bench.table.name(seat)}`));
    expect(document.querySelectorAll('[aria-current="step"]')).toHaveLength(1);
    const pulse = document.querySelector<HTMLElement>('[aria-current="step"]')!.style.getPropertyValue('--beat');
    expect(Number.parseFloat(pulse)).toBeCloseTo(60 / playing[order[1]!]!.bpm);
  });

  it('says so when the fastest is first', () => {
    const bench = new Bench('bpm-4', asked('song'));
    bench.change({ bends: ['order'] });
    bench.draw(LineUp);
    expect(screen.getByText('Fastest first')).toBeTruthy();
  });
});

describe('the Hype card of the round', () => {
  it('shows its text and effect, and its area on the floor', () => {
    const bench = new Bench('bpm-4', (view) => view.area.length > 0);
    bench.draw(Board);
    const { card, area } = bench.table.view;
    expect(screen.getByText(bench.table.t(`hype.${card}.name`))).toBeTruthy();
    expect(screen.getByText('extra superfan')).toBeTruthy();
    expect(document.querySelectorAll('path.area')).toHaveLength(area.length);
  });

  it('is chosen by the Hypemaster from two', async () => {
    const bench = new Bench('bpm-4', asked('cue'));
    const legal = [{ action: 'ChooseHype', fields: ['place'], rows: [[0], [1]], cautions: {} }];
    bench.change({ phase: 'hype', turn: 0, drawn: ['mosh-pit', 'two-step'], card: null }, legal, [0]);
    bench.draw(Hand);
    await fireEvent.click(screen.getByRole('button', { name: /Two-Step/ }));
    expect(bench.acted).toEqual([{ type: 'ChooseHype', place: 1 }]);
  });
});

describe('a sleeve', () => {
  it('shows the date as precisely as it is known', () => {
    expect(released(SONG, 'en')).toBe('4 Jul 2009');
    expect(released({ ...SONG, released: '2009-07' }, 'nl')).toBe('jul 2009');
    expect(released({ ...SONG, released: '2009' }, 'en')).toBe('2009');
  });
});
