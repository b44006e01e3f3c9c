import { cleanup, fireEvent, screen as page } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { tips } from '$lib/tips.svelte';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';
import ui from '../index';
import { asked, type Bench, type Position } from './test_table';
import type { BebopModel } from '../model/model.svelte';
import { settle } from '$tests/test_table';

let bench: Bench;
let model: BebopModel;

const hex = (name: string): HTMLElement => document.querySelector<HTMLElement>(`[data-hex="${name}"]`)!;
const piece = (place: string): HTMLElement => document.querySelector<HTMLElement>(`button[data-at="${place}"]`)!;
const lit = (): number => document.querySelectorAll('.hit[aria-label*="can be chosen"]').length;

async function press(element: HTMLElement, pointerType = 'mouse'): Promise<void> {
  await fireEvent(element, new PointerEvent('click', { bubbles: true, pointerType, detail: 1 }));
  await settle();
}

async function type(key: string): Promise<void> {
  await fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
}

function lay(wanted: Bench): void {
  [bench, model] = [wanted, wanted.model];
  bench.draw(Board);
  bench.draw(Hand);
}

const offers = (position: Position, type: string): number =>
  position.legal.find((group) => group.action === type)?.rows.length ?? 0;

describe('claim or book', () => {
  beforeEach(() => lay(asked('bebop-4', 'turn', (one) => offers(one, 'BookSeat') > 0 && offers(one, 'ClaimSeat') > 0)));

  it('highlights no hex before a piece is selected', () => {
    expect(lit()).toBe(0);
  });

  it('inspects the hex under a mouse that moves, not the one that appears under a mouse or where a finger was', async () => {
    const stage = hex(model.stages.values().next().value!.spaces[0]!);
    const at = (type: string, screenX: number, pointerType = 'mouse'): Promise<boolean> =>
      fireEvent(stage, new PointerEvent(type, { pointerType, bubbles: true, screenX }));
    await at('pointerdown', 40, 'touch');
    await at('pointerenter', 40);
    await at('pointermove', 40);
    expect(model.looked).toBeNull();
    await at('pointermove', 41);
    expect(model.looked).toBe(stage.dataset.hex);
    await at('pointerleave', 90);
    expect(model.looked).toBeNull();
  });

  it('selects a die, highlights its seats and books the one that is pressed', async () => {
    await press(piece('hand-1'));
    const seats = bench.table.offers('BookSeat').filter((offer) => offer.die === 1);
    expect(lit()).toBe(seats.length);
    await press(hex(seats[0]!.hex), 'touch');
    expect([bench.acted, bench.shell.picked]).toEqual([[], { type: 'BookSeat', die: 1, hex: seats[0]!.hex }]);
    bench.shell.confirm();
    expect(bench.acted).toEqual([{ type: 'BookSeat', die: 1, hex: seats[0]!.hex }]);
  });

  it('shows the points of each seat before one is chosen, with one preview request each', async () => {
    await press(piece('hand-0'));
    const seats = bench.table.offers('BookSeat').filter((offer) => offer.die === 0);
    await expect.poll(() => document.querySelectorAll('.points').length).toBe(seats.length);
    expect(document.querySelector('.points')?.textContent).toContain('+3');
    await press(piece('hand-0'));
    await press(piece('hand-0'));
    await tick();
    expect(bench.previewed).toHaveLength(seats.length);
  });

  it('selects a seat, highlights its hexes and claims the one that is pressed', async () => {
    await press(piece('supply-basic'));
    const claims = bench.table.offers('ClaimSeat').filter((offer) => offer.tile === 'basic');
    expect(lit()).toBe(claims.length);
    await press(hex(claims[0]!.hex));
    expect(claims).toContainEqual(bench.acted[0]);
  });

  it('allows selecting the hex first and the piece afterwards', async () => {
    const { hex: name } = bench.table.offers('BookSeat')[0]!;
    await press(hex(name));
    expect(hex(name).getAttribute('aria-pressed')).toBe('true');
    await press(piece('hand-2'));
    expect(bench.acted[0]).toEqual({ type: 'BookSeat', die: 2, hex: name });
  });

  it('asks the server why a piece can’t go to a hex', async () => {
    await press(piece('hand-0'));
    const stage = model.board.hexes.find((one) => one.kind === 'stage')!.name;
    await press(hex(stage));
    expect(bench.acted).toEqual([]);
    expect(bench.wondered).toEqual([{ type: 'BookSeat', die: 0, hex: stage }]);
  });

  it('deselects a piece', async () => {
    await press(piece('hand-0'));
    await press(piece('hand-0'));
    expect(lit()).toBe(0);
    await press(piece('hand-0'));
    await fireEvent.keyDown(piece('hand-0'), { key: 'Escape' });
    expect(lit()).toBe(0);
  });

  it('clears the selection when the position changes', async () => {
    await press(piece('hand-0'));
    bench.change({});
    await tick();
    expect(model.piece).toBeNull();
  });
});

it('lays a special face down only if that is switched on', async () => {
  lay(asked('bebop-4', 'turn', (one) => one.legal.some((group) => group.rows.some((row) => row.includes('boot')))));
  await press(piece('supply-boot'));
  expect(model.targets.size).toBeGreaterThan(0);
  expect([...model.targets.values()].every((action) => action.type === 'ClaimSeat' && !action.face_down)).toBe(true);
  await press(page.getByText('Face down'));
  expect([...model.targets.values()].every((action) => action.type === 'ClaimSeat' && action.face_down)).toBe(true);
  await press(hex(model.targets.keys().next().value!));
  expect(bench.acted[0]).toMatchObject({ type: 'ClaimSeat', tile: 'boot', face_down: true });
});

it('keeps every piece of the hand in its place', async () => {
  lay(asked('bebop-4', 'turn', (one) => offers(one, 'ClaimSeat') > 0));
  const places = (): (string | null)[] =>
    [...document.querySelectorAll('.dice > *, .seats > *')].map((one) => one.getAttribute('data-at'));
  const before = places();
  const [supply, ...supplies] = model.view.supplies;
  const [hand, ...hands] = model.view.hands;
  const gone = supply!.specials[0]!;
  bench.change({
    supplies: [{ basic: 0, specials: supply!.specials.slice(1) }, ...supplies],
    hands: [{ ...hand!, dice: hand!.dice!.slice(0, 1) }, ...hands],
  });
  await settle();
  const kept = (place: string | null): string | null =>
    ['hand-1', 'hand-2', 'supply-basic', `supply-${gone}`].includes(place ?? '') ? null : place;
  expect(before).toContain(`supply-${gone}`);
  expect(places()).toEqual(before.map(kept));
});

it.each([
  ['turn', 'Press a die or a seat, then a hex'],
  ['take a die', 'Press a die or the bag'],
  ['reroll', 'Press a die to roll it again'],
  ['book this seat', 'Press the die for this seat'],
  ['perform', 'Press a stage on the board'],
])('explains what to press in the phase %s', (phase, hint) => {
  const both = (one: Position): boolean =>
    phase !== 'turn' || (offers(one, 'BookSeat') > 0 && offers(one, 'ClaimSeat') > 0);
  const bench = asked('bebop-4', phase, both);
  lay(bench);
  expect(document.querySelectorAll('[width^="-"]')).toHaveLength(0); // before it is laid out, there is no room
  expect(ui.handLine!(bench.table, bench.model)).toBe(hint);
});

it.each([
  ['ClaimSeat', 'Press a seat, then a hex'],
  ['BookSeat', 'Press a die, then one of your seats'],
])('prompts only for what can be pressed (%s)', (only, hint) => {
  const bench = asked('bebop-4', 'turn', (one) => offers(one, 'BookSeat') > 0 && offers(one, 'ClaimSeat') > 0);
  const legal = bench.store.position!.legal.filter((group) => group.action === only);
  bench.change({}, legal);
  lay(bench);
  expect(ui.handLine!(bench.table, bench.model)).toBe(hint);
});

it('rerolls a die, or keeps all', async () => {
  lay(asked('bebop-4', 'reroll'));
  await press(piece('hand-1'));
  expect(bench.acted[0]).toEqual({ type: 'RerollDie', die: 1 });
  await press(page.getByText('Keep all dice'));
  expect(bench.acted[1]).toEqual({ type: 'KeepDice' });
});

it('takes a die from the queue or the bag', async () => {
  lay(asked('bebop-4', 'take a die'));
  await press(piece('queue-2'), 'touch');
  expect([bench.acted, bench.shell.picked]).toEqual([[], { type: 'TakeFromQueue', place: 2 }]);
  await press(piece('bag'));
  expect(bench.acted).toEqual([{ type: 'DrawFromBag' }]);
});

it('books an Insta-Book at once, or declines it', async () => {
  lay(asked('bebop-4', 'book this seat'));
  await press(piece('hand-0'));
  expect(bench.acted[0]).toEqual({ type: 'BookSeat', die: 0, hex: bench.table.view.insta });
  await press(page.getByText('Leave it open'));
  expect(bench.acted[1]).toEqual({ type: 'DeclineBooking' });
});

it('declines, draws from the bag and turns a seat over with one key each', async () => {
  lay(asked('bebop-4', 'reroll'));
  await type('0');
  expect(bench.acted).toEqual([{ type: 'KeepDice' }]);
  cleanup();
  lay(asked('bebop-4', 'take a die'));
  for (const key of ['0', '5']) await type(key);
  expect(bench.acted).toEqual([{ type: 'DrawFromBag' }, { type: 'TakeFromQueue', place: 4 }]);
  cleanup();
  lay(asked('bebop-4', 'turn', (one) => one.legal.some((group) => group.rows.some((row) => row.includes('boot')))));
  for (const key of ['9', '-']) await type(key);
  expect([model.piece, model.faceDown]).toEqual([{ kind: 'tile', tile: 'boot' }, true]);
});

it('asks the server why a piece selected by key can’t be used', async () => {
  lay(asked('bebop-4', 'reroll'));
  await type('4');
  expect(bench.wondered).toMatchObject([{ type: 'ClaimSeat', tile: 'basic' }]);
});

it('focuses the first stage that can perform, and Home moves between them', async () => {
  lay(asked('bebop-4', 'perform'));
  const stages = bench.table.view.complete.flatMap((letter) => model.stages.get(letter)!.spaces);
  expect(stages.map((name) => `hex-${name}`)).toContain(model.next);
  const other = model.board.hexes.find(({ name }) => !stages.includes(name))!.name;
  hex(other).focus();
  await fireEvent.keyDown(hex(other), { key: 'Home' });
  await tick();
  expect(stages).toContain(document.activeElement?.getAttribute('data-hex'));
});

it.each(['turn', 'take a die', 'reroll', 'book this seat', 'claim again'])(
  'knows where the keys go on in the phase %s',
  (phase) => {
    lay(asked('bebop-4', phase));
    expect(piece(model.next!).getAttribute('class')).not.toContain('dead');
  },
);

it('chooses one of several stages to perform', async () => {
  lay(asked('bebop-4', 'perform'));
  const [first, second] = bench.table.view.complete.map((letter) => model.stages.get(letter));
  expect(lit()).toBe(first!.spaces.length + second!.spaces.length);
  await press(hex(second!.spaces[0]!));
  expect(bench.acted[0]).toEqual({ type: 'PerformStage', stage: second!.stage });
});

describe('by keyboard alone', () => {
  beforeEach(() => lay(asked('bebop-4', 'turn', (one) => offers(one, 'BookSeat') > 0)));

  it('has one hex in the tab order', () => {
    expect(document.querySelectorAll('.hit[tabindex="0"]')).toHaveLength(1);
  });

  it('moves between hexes with the arrow keys', async () => {
    const first = model.board.hexes[0]!.name;
    hex(first).focus();
    await fireEvent.keyDown(hex(first), { key: 'ArrowRight' });
    await tick();
    const second = document.activeElement?.getAttribute('data-hex');
    expect(second).toBe(model.board.hexes[1]!.name);
    await fireEvent.keyDown(hex(second!), { key: 'ArrowLeft' });
    await tick();
    expect(document.activeElement).toBe(hex(first));
    expect(hex(first).getAttribute('tabindex')).toBe('0');
  });

  it('moves from a selected die to its first seat, and books with Enter', async () => {
    await fireEvent.click(piece('hand-0'), { detail: 0 });
    await expect.poll(() => document.activeElement?.getAttribute('data-hex')).toBe(model.targets.keys().next().value);
    const name = document.activeElement!.getAttribute('data-hex')!;
    await fireEvent.keyDown(hex(name), { key: 'Enter' });
    expect(bench.acted[0]).toEqual({ type: 'BookSeat', die: 0, hex: name });
  });

  it('selects a piece by its number and a hex by its name', async () => {
    const { die, hex: name } = bench.table.offers('BookSeat').at(-1)!;
    for (const key of [`${die + 1}`, ...name]) await type(key);
    expect(document.activeElement?.getAttribute('data-hex')).toBe(name);
    await fireEvent.keyDown(hex(name), { key: 'Enter' });
    expect(bench.acted).toEqual([{ type: 'BookSeat', die, hex: name }]);
  });

  it('ignores keys typed elsewhere, held down, or used by the browser', async () => {
    const field = document.body.appendChild(document.createElement('input'));
    await fireEvent.keyDown(field, { key: '1' });
    await fireEvent.keyDown(document.body, { key: '1', ctrlKey: true });
    await fireEvent.keyDown(document.body, { key: '1', repeat: true });
    field.remove();
    expect(model.piece).toBeNull();
  });

  it('moves with Home to the next hex with a legal action', async () => {
    await press(piece('hand-0'));
    await fireEvent.keyDown(hex(model.board.hexes[0]!.name), { key: 'Home' });
    await tick();
    expect(model.targets.has(document.activeElement!.getAttribute('data-hex')!)).toBe(true);
  });
});

describe('a piece that can’t be used now', () => {
  it('a die that fits no seat shows the reason and is not selected', async () => {
    lay(asked('bebop-4', 'turn'));
    bench.change(
      {},
      bench.store.position!.legal.filter((group) => group.action !== 'BookSeat'),
    );
    await tick();
    await press(piece('hand-0'));
    expect(model.piece).toBeNull();
    expect(bench.wondered).toMatchObject([{ type: 'BookSeat', die: 0 }]);
  });

  it.each([
    ['queue-0', 'The booking queue'],
    ['bag', 'the bag, with'],
  ])('%s before a die is taken, with an explanation of its use', async (place, told) => {
    lay(asked('bebop-4', 'turn'));
    await fireEvent.click(document.querySelector(`[data-at="${place}"]`)!);
    expect(tips.shown?.text).toContain(told);
    expect([bench.acted, bench.wondered]).toEqual([[], []]);
  });
});

it('shows the final scoring above the board and covers none of its rows', async () => {
  lay(asked('bebop-4', 'turn'));
  model.show({ title: 'The end: the red family', line: 'Most keys', counting: [], winning: [], paid: [], ends: true });
  await tick();
  expect(document.querySelector('.track')!.textContent).toContain('The end: the red family');
  expect(document.querySelector('.place')!.textContent).not.toContain('The end: the red family');
});
