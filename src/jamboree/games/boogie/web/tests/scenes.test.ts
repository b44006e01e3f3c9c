import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { Bench, benchAt } from './test_table';
import { allThere, settle } from '$tests/test_table';
import Board from '../board/Board.svelte';
import Ending from '../panels/Ending.svelte';
import Hand from '../hand/Hand.svelte';
import Promises from '../panels/Promises.svelte';
import Scores from '../panels/Scores.svelte';
import SeatCard from '../panels/SeatCard.svelte';
import { injectSprite } from '$lib/components/sprite';
import sheet from '../sheet.svg?raw';
import ui from '../index';
import type { View } from '../model/wire';

const at = (name: string, phase: string, wanted: (view: View) => boolean = () => true): Bench =>
  benchAt(name, ({ position: { view } }) => view.phase === phase && wanted(view));

function show(bench: Bench): void {
  bench.draw(Board);
  bench.draw(Hand);
}

const zone = (jump: string): HTMLElement => document.querySelector(`[data-jump="${jump}"]`)!;
const held = (card: string): HTMLElement => document.querySelector(`[data-card="${card}"]`)!;

describe('the plane', () => {
  it('shows everybody at a window, the formations, my hand, and the promises', async () => {
    const bench = at('boogie-5', 'plane', (view) => view.promises.length > 6);
    show(bench);
    await allThere();
    for (const seat of [1, 2, 3, 4]) expect(screen.getByRole('button', { name: windowOf(bench, seat) })).toBeTruthy();
    for (const number of [2, 3, 4]) {
      const plan = screen.getByRole('heading', { name: `Formation ${number}` });
      expect(within(plan).getByRole('button')).toBeTruthy();
    }
    expect(document.querySelectorAll('[data-card]').length).toBeGreaterThan(3);
    expect(document.querySelectorAll('.saying').length).toBeGreaterThan(2);
  });

  it('makes a promise with buttons', async () => {
    const bench = at('boogie-5', 'plane');
    show(bench);
    const mine = within(screen.getByRole('group', { name: 'I promise' }));
    await fireEvent.click(mine.getByRole('button', { name: 'figures' }));
    await fireEvent.click(mine.getByRole('button', { name: 'One more' }));
    await fireEvent.click(mine.getByRole('button', { name: 'Formation 3' }));
    await fireEvent.click(screen.getByRole('button', { name: `Only to ${bench.table.name(2)}` }));
    await fireEvent.click(screen.getByRole('button', { name: 'Promise' }));
    await settle();
    expect(bench.acted).toEqual([{ type: 'PromiseTo', to: 2 }]);
    const term = { pledge: 'figures', jump: { number: 3, solo: null }, worth: 6 };
    const legal = [{ action: 'Promise', fields: ['term'], rows: [[term]], cautions: {} }];
    await bench.keep((view) => ({ talk: [{ begun: 1, draft: { to: 2, asked: null } }, ...view.talk.slice(1)] }), legal);
    expect(bench.acted[1]).toEqual({ type: 'Promise', term });
  });

  it('explains the effect of a promise to a bot', async () => {
    const bench = at('boogie-5', 'plane');
    bench.store.table = { ...bench.store.table!, bots: [{ seat: 2, name: 'Cleo', level: 'rookie' }] };
    show(bench);
    const note = (): string => document.querySelector('.bot')?.textContent ?? '';
    await fireEvent.click(screen.getByRole('button', { name: `Only to ${bench.table.name(1)}` }));
    expect(note()).toBe('');
    await fireEvent.click(screen.getByRole('button', { name: `Only to ${bench.table.name(2)}` }));
    expect(note()).toContain(`${bench.table.name(2)} is a bot`);
  });

  it('records that I am ready, which can be withdrawn', async () => {
    const bench = at('boogie-5', 'plane');
    show(bench);
    await fireEvent.click(screen.getByRole('button', { name: 'Ready to jump' }));
    await settle();
    const legal = [{ action: 'WithdrawReady', fields: [], rows: [[]], cautions: {} }];
    await bench.keep(() => ({ ready: [0] }), legal);
    await fireEvent.click(screen.getByRole('button', { name: 'I am not ready after all' }));
    await settle();
    expect(bench.acted.map((action) => action.type)).toEqual(['SayReady', 'WithdrawReady']);
  });
});

describe('the jump', () => {
  const PLAY = { type: 'PlayCard', card: 'sure', jump: { number: 3, solo: null }, after_pull: false };

  it('lays a card by two taps, in either order', async () => {
    for (const order of ['card first', 'jump first']) {
      const bench = at('boogie-5', 'jump');
      show(bench);
      const taps = [held('sure'), zone('3')];
      for (const tapped of order === 'card first' ? taps : taps.reverse()) await fireEvent.click(tapped);
      await settle();
      expect(bench.acted, order).toEqual([PLAY]);
      cleanup();
    }
  });

  it('lays a card by dragging it', async () => {
    const bench = at('boogie-5', 'jump');
    show(bench);
    const under = vi.spyOn(document, 'elementFromPoint').mockImplementation(() => zone('3'));
    await fireEvent.pointerDown(held('sure'), { button: 0, clientX: 10, clientY: 700 });
    await fireEvent.pointerMove(held('sure'), { clientX: 60, clientY: 400 });
    expect(zone('3').className).toContain('over');
    await fireEvent.pointerUp(held('sure'), { clientX: 60, clientY: 400 });
    await fireEvent.click(held('sure')); // the click that a browser sends after it
    await settle();
    expect(bench.acted).toEqual([PLAY]);
    expect(bench.model.laying.picked).toBe(null);
    under.mockRestore();
  });

  it('returns a card that is dropped nowhere', async () => {
    const bench = at('boogie-5', 'jump');
    show(bench);
    await fireEvent.pointerDown(held('sure'), { button: 0, clientX: 10, clientY: 700 });
    await fireEvent.pointerMove(held('sure'), { clientX: 60, clientY: 400 });
    await fireEvent.pointerUp(held('sure'), { clientX: 60, clientY: 400 });
    await settle();
    expect([bench.acted, bench.model.laying.picked]).toEqual([[], null]);
  });

  it('lays a card with the keyboard alone', async () => {
    const bench = at('boogie-5', 'jump');
    show(bench);
    held('sure').focus();
    await fireEvent.keyDown(held('sure'), { key: 'Enter' });
    await settle();
    expect(document.activeElement).toBe(zone('2'));
    await fireEvent.keyDown(zone('2'), { key: 'ArrowRight' });
    expect(document.activeElement).toBe(zone('3'));
    await fireEvent.click(zone('3'), { detail: 0 });
    await settle();
    expect(bench.acted).toEqual([PLAY]);
    expect(document.activeElement?.hasAttribute('data-card')).toBe(true);
  });

  it('shows the piles of the others face down', () => {
    injectSprite(sheet);
    const bench = at('boogie-5', 'jump', (view) => view.plays.length > 12);
    show(bench);
    const others = bench.table.view.plays.filter((play) => play.seat !== 0);
    expect(others.every((play) => play.card === null)).toBe(true);
    expect(document.querySelectorAll('.landed')).toHaveLength(bench.table.view.plays.length);
    expect(document.querySelectorAll('.landed image').length).toBeGreaterThanOrEqual(bench.table.view.plays.length);
    expect(document.querySelectorAll('.landed [href*="pose-"], .landed text')).toHaveLength(0);
  });

  it('warns before a play that would disqualify', async () => {
    const bench = at('boogie-5', 'jump', (view) => view.plays.some((play) => play.seat === 0 && play.character));
    const { jump } = bench.table.view.plays.find((play) => play.seat === 0)!;
    show(bench);
    await fireEvent.click(held('bluff'));
    await fireEvent.click(zone(`${jump.number}`));
    await settle();
    expect(bench.acted).toEqual([]);
    expect(screen.getByRole('alert').textContent).toContain('disqualify you on this formation');
    await fireEvent.click(screen.getByRole('button', { name: 'Keep it' }));
    expect(bench.model.laying.doubt).toBe(null);
  });

  it('is locked by PULL', async () => {
    const bench = at('boogie-5', 'jump');
    show(bench);
    bench.step(() => ({ phase: 'pulled' }));
    await settle();
    await fireEvent.click(held('sure'));
    await fireEvent.click(zone('3'));
    await fireEvent.click(screen.getByRole('button', { name: 'I am done' }));
    await settle();
    expect(bench.acted).toEqual([]);
    expect(screen.getByRole('alert').textContent).toBe('PULL!');
  });
});

describe('after the jury', () => {
  it('shows the revealed cards, the roll, and the promises', async () => {
    const bench = at('boogie-5', 'preparation', (view) => view.jury.jumps.some((jump) => jump.points > 0));
    const { jumps } = bench.table.view.jury;
    show(bench);
    await allThere();
    const good = jumps.findIndex((jump) => jump.points > 0);
    await fireEvent.click(document.querySelectorAll('.steps button')[good]!);
    const cards = jumps[good]!.characters.length + jumps[good]!.jumpcards.length;
    expect(document.querySelectorAll('.flip.over')).toHaveLength(cards);
    expect(document.querySelectorAll('.dice [role="img"]')).toHaveLength(jumps[good]!.eyes.length);
    expect(document.querySelector('.verdict')!.textContent).toContain(`+${jumps[good]!.points}`);
  });

  it('breaks no jumper’s name within a word', async () => {
    const bench = at('boogie-5', 'preparation', (view) => view.jury.jumps.some((jump) => jump.characters.length > 0));
    show(bench);
    await allThere();
    const named = bench.table.view.jury.jumps.findIndex((jump) => jump.characters.length > 0);
    await fireEvent.click(document.querySelectorAll('.steps button')[named]!);
    const notes = [...document.querySelectorAll('.turned small')].filter((note) => note.textContent);
    expect(notes.length).toBeGreaterThan(0);
    for (const note of notes) {
      const words = [...note.querySelectorAll('.word')].map((word) => word.textContent);
      expect(words).toEqual(note.textContent!.trim().split(' '));
    }
  });

  it('waits until I am ready for the next plane', async () => {
    const bench = at('boogie-5', 'preparation', (view) => view.jumprun === 2 && !view.ready.includes(0));
    show(bench);
    await fireEvent.click(screen.getByRole('button', { name: 'Ready for jumprun 2' }));
    await settle();
    expect(bench.acted).toEqual([{ type: 'SayReady' }]);
  });

  it('lists points by jumprun and promises by verdict', () => {
    const bench = at('boogie-5', 'over');
    const props = { table: bench.table, model: bench.model };
    render(Scores, { props });
    render(Promises, { props });
    const { scores } = bench.table.outcome!;
    const totals = [...document.querySelectorAll('tbody td:last-child b')].map((cell) => Number(cell.textContent));
    expect(totals).toEqual(scores.toSorted((a, b) => b - a));
    expect(document.querySelectorAll('.stamp')).toHaveLength(bench.table.view.jury.promises.length);
  });

  it('ends with the result', () => {
    const bench = at('boogie-5', 'over');
    render(Ending, { props: { table: bench.table, model: bench.model } });
    const [winner] = bench.table.outcome!.winners;
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(bench.table.name(winner!));
  });
});

describe('eight players', () => {
  it.each(['plane', 'jump', 'preparation'])('are all shown in the %s', async (phase) => {
    const bench = at('boogie-8', phase, (view) => phase !== 'preparation' || view.jumprun === 2);
    show(bench);
    await allThere();
    const places = { plane: '.window', jump: '.zone.solo', preparation: '.next .seats li' }[phase]!;
    expect(document.querySelectorAll(places)).toHaveLength(8);
  });

  it('have a card each, with animal and points', () => {
    const bench = at('boogie-8', 'plane');
    for (let seat = 0; seat < 8; seat++) {
      render(SeatCard, { props: { table: bench.table, model: bench.model, seat } });
    }
    const animals = ['Frog', 'Dog', 'Giraffe', 'Cat', 'Bear', 'Pig', 'Penguin', 'Elephant'];
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('aria-label'))).toEqual(animals);
  });
});

it('spectators have no hand and no buttons', () => {
  const bench = at('boogie-5', 'plane');
  bench.store.you = { person: null, seat: null };
  show(bench);
  expect(document.querySelectorAll('[data-card]')).toHaveLength(0);
  expect(screen.queryByRole('button')).toBe(null);
});

function windowOf(bench: Bench, seat: number): RegExp {
  return new RegExp(`^${bench.table.name(seat)}, `);
}

it('shows broken promises below the name, so that it has the width of the card', () => {
  const bench = at('boogie-5', 'preparation', ({ jury }) => jury.promises.some((one) => one.verdict === 'broken'));
  const liar = bench.table.view.jury.promises.find((one) => one.verdict === 'broken')!.seat;
  const card = bench.draw(SeatCard, { seat: liar });
  expect(card.querySelector('.who .lied')!.textContent).toContain('broken');
});

it('has nothing to say about cards in the plane that nobody has asked', () => {
  const bench = at('boogie-5', 'plane');
  expect(ui.handLine!(bench.table, bench.model)).toBe('');
});
