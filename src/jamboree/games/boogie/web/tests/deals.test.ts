import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { benchAt, type Bench } from './test_table';
import { settle } from '$tests/test_table';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';
import type { Jump, Promised, Term, View } from '../model/wire';

const THE_3: Jump = { number: 3, solo: null };
const PEACE: Term = { pledge: 'harmless', jump: { number: 1, solo: 0 }, worth: 0 };
const SURE: Term = { pledge: 'sure', jump: THE_3, worth: 0 };
const FIGURES: Term = { pledge: 'figures', jump: THE_3, worth: 3 };
const OUT: Term = { pledge: 'out', jump: THE_3, worth: 0 };
const DEAL: Promised = { seat: 2, to: 0, term: PEACE, asked: SURE, verdict: null };
let bench: Bench;

beforeEach(() => {
  bench = benchAt('boogie-5', ({ position: { view } }) => view.phase === 'plane');
  bench.change({ promises: [DEAL] });
  bench.draw(Board);
  bench.draw(Hand);
});

const deal = (): ReturnType<typeof within> =>
  within(screen.getByRole('region', { name: `${bench.table.name(2)} offers you a deal` }));
const gone = (): boolean => screen.queryByRole('region', { name: /offers you a deal/ }) === null;

function said(action: string, term: Term) {
  return [{ action, fields: ['term'], rows: [[term]], cautions: {} }];
}

function drafted(asked: Term | null): (view: View) => Partial<View> {
  return (view) => ({ talk: [{ begun: 1, draft: { to: 2, asked } }, ...view.talk.slice(1)] });
}

it('shows what is given, and for what', () => {
  const text = deal().getByText(/offers:/).textContent;
  expect(text).toBe(`${bench.table.name(2)} offers: nothing harmful on your solo`);
  expect(deal().getByText(/^for/).textContent).toBe('for: in with a ✓ on the 3');
});

it('is accepted in one tap, which promises what is asked for what is given', async () => {
  await fireEvent.click(deal().getByRole('button', { name: 'Deal' }));
  await settle();
  await bench.keep(drafted(null), said('AskInExchange', PEACE));
  await bench.keep(drafted(PEACE), said('Promise', SURE));
  const mine: Promised = { seat: 0, to: 2, term: SURE, asked: PEACE, verdict: null };
  await bench.keep(() => ({ promises: [DEAL, mine], talk: [{ begun: 1, draft: null }] }));
  expect(bench.acted).toEqual([
    { type: 'PromiseTo', to: 2 },
    { type: 'AskInExchange', term: PEACE },
    { type: 'Promise', term: SURE },
  ]);
  expect(gone()).toBe(true);
});

it('can be countered: the form starts with the same terms reversed', async () => {
  await fireEvent.click(deal().getByRole('button', { name: 'Counter' }));
  await settle();
  const name = bench.table.name(2);
  const sentence = `I promise ${name}: in with a ✓ on the 3, in exchange for: nothing harmful on my solo.`;
  expect(document.querySelector('.spoken output')!.textContent).toBe(sentence);
  expect(bench.acted).toEqual([]);
});

it('is declined in one tap, with a phrase only to a person', async () => {
  const say = vi.spyOn(bench.shell, 'sendPhrase').mockResolvedValue(true);
  vi.spyOn(bench.shell, 'isBot').mockReturnValue(false);
  vi.spyOn(bench.shell, 'person').mockReturnValue('p3');
  await fireEvent.click(deal().getByRole('button', { name: 'No' }));
  expect(say.mock.calls).toEqual([['reply.no', 'p3']]);
});

it('is declined in one tap, without a phrase to a bot', async () => {
  const say = vi.spyOn(bench.shell, 'sendPhrase');
  bench.store.table = { ...bench.store.table!, bots: [{ seat: 2, name: 'Cleo', level: 'rookie' }] };
  await fireEvent.click(deal().getByRole('button', { name: 'No' }));
  await settle();
  expect([gone(), say.mock.calls, bench.acted]).toEqual([true, [], []]);
});

it('makes the device vibrate when it arrives, and not again', async () => {
  const vibrate = vi.fn();
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { vibrate }));
  bench.change({ promises: [DEAL, { ...DEAL, term: FIGURES }] });
  await settle();
  expect(vibrate).toHaveBeenCalledTimes(1);
  bench.change({ promises: [DEAL] });
  await settle();
  expect(vibrate).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

it('stays when the same was promised to everybody', async () => {
  const earlier: Promised = { seat: 0, to: null, term: SURE, asked: null, verdict: null };
  bench.change({ promises: [earlier, DEAL] });
  await settle();
  expect(gone()).toBe(false);
  bench.change({ promises: [DEAL, earlier] });
  await settle();
  expect(gone()).toBe(false);
});

it('stays when another deal is made with the same player', async () => {
  const other: Promised = { seat: 0, to: 2, term: FIGURES, asked: OUT, verdict: null };
  bench.change({ promises: [DEAL, other] });
  await settle();
  expect(gone()).toBe(false);
});

it('is answered by a counter-offer, whatever that says', async () => {
  await fireEvent.click(deal().getByRole('button', { name: 'Counter' }));
  const counter: Promised = { seat: 0, to: 2, term: FIGURES, asked: OUT, verdict: null };
  bench.change({ promises: [DEAL, counter] });
  await settle();
  expect(gone()).toBe(true);
});

it('replaces a promise begun to another player', async () => {
  bench.change((view) => ({ talk: [{ begun: 1, draft: { to: 3, asked: null } }, ...view.talk.slice(1)] }));
  await fireEvent.click(deal().getByRole('button', { name: 'Deal' }));
  await settle();
  expect(bench.acted).toEqual([{ type: 'PromiseTo', to: 2 }]);
});

it('explains why it can’t be accepted after I am ready', async () => {
  bench.change({ ready: [0] });
  await fireEvent.click(deal().getByRole('button', { name: 'Deal' }));
  await settle();
  expect([bench.acted, bench.wondered]).toEqual([[], [{ type: 'PromiseTo', to: 2 }]]);
});

it('shows what will be promised, and that nothing is binding', async () => {
  await fireEvent.click(deal().getByRole('button', { name: 'Promise something else' }));
  await fireEvent.click(
    within(screen.getByRole('group', { name: 'I promise' })).getByRole('button', { name: 'Formation 3' }),
  );
  expect(document.querySelector('.spoken output')!.textContent).toBe('I promise everybody: in with a ✓ on the 3.');
  expect(document.querySelector('.spoken')!.textContent).toContain('Nothing is binding');
});

const toast = (): string => document.querySelector('.toast')!.textContent.replace(/\s+/g, ' ').trim();

it('is announced for a moment when it arrives', async () => {
  expect(toast()).toBe('');
  bench.change({ promises: [DEAL, { ...DEAL, seat: 3 }] });
  await settle();
  expect(toast()).toBe(`${bench.table.name(3)} offers you a deal.`);
});

it('is no offer but a yes when it mirrors mine', async () => {
  const mine: Promised = { seat: 0, to: 3, term: SURE, asked: OUT, verdict: null };
  const yes: Promised = { seat: 3, to: 0, term: OUT, asked: SURE, verdict: null };
  bench.change({ promises: [mine] });
  await settle();
  bench.change({ promises: [mine, yes] });
  await settle();
  expect(gone()).toBe(true);
  expect(toast()).toBe(`${bench.table.name(3)} accepts your deal!`);
});

it('answers mine with other terms: a counter-offer, which waits for me', async () => {
  const mine: Promised = { seat: 0, to: 3, term: SURE, asked: FIGURES, verdict: null };
  const counter: Promised = { seat: 3, to: 0, term: { ...FIGURES, worth: 1 }, asked: SURE, verdict: null };
  bench.change({ promises: [mine] });
  await settle();
  bench.change({ promises: [mine, counter] });
  await settle();
  expect(gone()).toBe(false);
  expect(toast()).toBe(`${bench.table.name(3)} makes a counter-offer.`);
});

it('is refused in the words of the other player, with a vibration', async () => {
  const vibrate = vi.fn();
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { vibrate }));
  const line = { id: 'no', person: '', text: 'No deal.', audience: 'whisper', to: 'p1', phrase: 'reply.no' } as const;
  bench.store.table = { ...bench.store.table!, bots: [{ seat: 3, name: 'Otto', level: 'sharp' }] };
  bench.store.chat = [{ ...line, bot: 'Otto' }];
  await settle();
  expect(toast()).toBe(`${bench.table.name(3)} refuses: “No deal.”`);
  expect(vibrate).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

it('takes the place of the form, and never that of the formations', async () => {
  expect(document.querySelector('.middle .deal')).toBeNull();
  expect(document.querySelector('.composer')).toBeNull();
  await fireEvent.click(deal().getByRole('button', { name: 'Promise something else' }));
  await settle();
  expect(document.querySelector('.composer')).not.toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: '1 offer' }));
  await settle();
  expect(gone()).toBe(false);
});

it('leaves a form that is in use, and counts itself there', async () => {
  bench.change({ promises: [] });
  await settle();
  await fireEvent.click(within(screen.getByRole('group', { name: 'I promise' })).getByRole('button', { name: 'out' }));
  bench.change({ promises: [DEAL] });
  await settle();
  expect(gone()).toBe(true);
  expect(document.querySelector('.composer')).not.toBeNull();
  expect(screen.getByRole('button', { name: '1 offer' })).toBeTruthy();
});

it('leaves one primary button: being ready looks different while there is something to say', () => {
  const ready = screen.getByRole('button', { name: 'Ready to jump' });
  expect(ready.classList.contains('primary')).toBe(false);
});
