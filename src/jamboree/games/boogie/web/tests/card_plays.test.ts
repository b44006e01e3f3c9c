import { fireEvent } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Bench, benchAt } from './test_table';
import { settle } from '$tests/test_table';
import Hand from '../hand/Hand.svelte';
import { jumpKey } from '../model/cards';
import { pileOn } from '../board/piles';
import type { Caution } from '$lib/contract';
import type { Jump, Laid, View } from '../model/wire';

const THE_2: Jump = { number: 2, solo: null };
const THE_3: Jump = { number: 3, solo: null };
const THE_4: Jump = { number: 4, solo: null };

let bench: Bench;

function airborne(): Bench {
  return benchAt('boogie-5', ({ position: { view } }) => view.phase === 'jump' && view.jumprun === 1);
}

/** What the table makes of a card of mine: out of the hand, onto the jump. */
function laid(card: string, jump: Jump): (view: View) => Partial<View> {
  return (view) => {
    const [mine, ...others] = view.hands;
    const cards = [...mine!.cards!];
    cards.splice(cards.indexOf(card), 1);
    const play: Laid = { seat: 0, jump, character: card === 'sure', late: false, card };
    return { hands: [{ ...mine!, cards }, ...others], plays: [...view.plays, play] };
  };
}

function onTable(jump: Jump): string[] {
  const pile = pileOn(jump, bench.table.view.plays, bench.model.laying.flying, 0);
  return pile.flatMap((one) => (one.card ? [one.card] : []));
}

function inHand(card: string): number {
  return bench.model.laying.hand!.filter((one) => one === card).length;
}

beforeEach(() => {
  bench = airborne();
});

describe('a card of my own', () => {
  it('is shown at once, and only once after the server has accepted it', async () => {
    expect([inHand('sure'), onTable(THE_2)]).toEqual([2, []]);
    bench.model.laying.lay('sure', THE_2);
    expect([inHand('sure'), onTable(THE_2)]).toEqual([1, ['sure']]);
    await settle();
    expect(bench.acted).toEqual([{ type: 'PlayCard', card: 'sure', jump: THE_2, after_pull: false }]);
    await bench.keep(laid('sure', THE_2));
    expect([inHand('sure'), onTable(THE_2)]).toEqual([1, ['sure']]);
    expect(bench.model.laying.flying).toEqual([]);
  });

  it('is not duplicated while its answer is pending', async () => {
    bench.model.laying.lay('sure', THE_2);
    await settle();
    bench.step(laid('sure', THE_2));
    await settle();
    expect([inHand('sure'), onTable(THE_2)]).toEqual([1, ['sure']]);
  });

  it('returns to the hand when it is refused', async () => {
    bench.model.laying.lay('sure', THE_2);
    await settle();
    await bench.refuse();
    expect([inHand('sure'), onTable(THE_2)]).toEqual([2, []]);
  });

  it('is sent after the one before it has been answered', async () => {
    bench.model.laying.lay('sure', THE_2);
    bench.model.laying.lay('sure', THE_3);
    await settle();
    expect(bench.acted).toHaveLength(1);
    expect([inHand('sure'), onTable(THE_2), onTable(THE_3)]).toEqual([0, ['sure'], ['sure']]);
    await bench.keep(laid('sure', THE_2));
    expect(bench.acted.map((action) => action.type === 'PlayCard' && jumpKey(action.jump))).toEqual(['2', '3']);
  });
});

describe('a lost connection during the jump', () => {
  it('loses and duplicates no card', async () => {
    bench.model.laying.lay('sure', THE_2);
    await settle();
    bench.model.laying.lay('sure', THE_3);
    expect([onTable(THE_2), onTable(THE_3)]).toEqual([['sure'], ['sure']]);
    const before = bench.store.position!;
    const view = before.view as View;
    const position = { ...before, view: { ...view, ...laid('sure', THE_2)(view) } };
    const { table, you } = bench.store;
    const missed = [{ seq: bench.store.seq + 1, events: [], sentences: [], note: null }];
    bench.store.receive({
      type: 'welcome',
      seq: bench.store.seq + 1,
      you,
      table: table!,
      position,
      missed,
      chat: [],
      clock: null,
      undo: null,
      bot_moves: 0,
    });
    await settle();
    expect([inHand('sure'), onTable(THE_2), onTable(THE_3)]).toEqual([0, ['sure'], ['sure']]);
    await bench.keep(() => ({}));
    expect(bench.acted).toHaveLength(2);
    await bench.keep(laid('sure', THE_3));
    expect([inHand('sure'), onTable(THE_2), onTable(THE_3)]).toEqual([0, ['sure'], ['sure']]);
  });

  it('returns cards to the hand if PULL came first', async () => {
    bench.model.laying.lay('sure', THE_2);
    await settle();
    bench.model.laying.lay('sure', THE_3);
    bench.step(() => ({ phase: 'pulled' }), []);
    await bench.refuse();
    expect(bench.acted).toHaveLength(1);
    expect([inHand('sure'), bench.model.laying.flying]).toEqual([2, []]);
    expect(bench.wondered).toContainEqual({ type: 'PlayCard', card: 'sure', jump: THE_3, after_pull: false });
  });
});

describe('a warning', () => {
  const second = (): Bench =>
    benchAt('boogie-5', ({ position: { view, legal } }) => {
      const warned = legal.some((group) => group.action === 'PlayCard' && Object.keys(group.cautions).length > 0);
      return view.phase === 'jump' && view.plays.some((play) => play.seat === 0 && play.jump.number === 4) && warned;
    });

  it('precedes a disqualifying card, which is laid only after a confirmation', async () => {
    bench = second();
    bench.model.laying.lay('maybe', THE_4);
    await settle();
    expect(bench.acted).toEqual([]);
    expect(bench.model.laying.warnings.map((warning) => warning.key)).toEqual(['twice']);
    bench.model.laying.insist();
    await settle();
    expect(bench.acted).toEqual([{ type: 'PlayCard', card: 'maybe', jump: THE_4, after_pull: false }]);
  });

  it('keeps the card in the hand if the play is cancelled', async () => {
    bench = second();
    bench.model.laying.lay('maybe', THE_4);
    bench.model.laying.letGo();
    await settle();
    expect([bench.acted, bench.model.laying.doubt, inHand('maybe')]).toEqual([[], null, 1]);
  });

  it('is also shown if the previous card made the play risky', async () => {
    bench.model.laying.lay('sure', THE_2);
    bench.model.laying.lay('sure', THE_2);
    await settle();
    const legal = bench.store.position!.legal.map((group) =>
      group.action !== 'PlayCard'
        ? group
        : {
            ...group,
            cautions: twiceOn(
              group.rows.map((row) => jumpKey(row[1] as Jump)),
              '2',
            ),
          },
    );
    await bench.keep(laid('sure', THE_2), legal);
    expect(bench.acted).toHaveLength(1);
    expect(bench.model.laying.doubt).toMatchObject({ card: 'sure', jump: THE_2 });
    expect([inHand('sure'), onTable(THE_2)]).toEqual([1, ['sure']]);
  });
});

function twiceOn(jumps: string[], jump: string): Record<string, Caution[]> {
  const caution: Caution = { rule: 'disqualified', key: 'twice', sentence: '' };
  return Object.fromEntries(jumps.flatMap((key, row) => (key === jump ? [[`${row}`, [caution]]] : [])));
}

it('gives no reason of the client for an illegal card: the server is asked', async () => {
  const jumpcard = bench.model.laying.hand![0]!;
  bench.model.laying.lay(jumpcard, THE_2);
  await settle();
  expect(bench.acted).toEqual([]);
  expect(bench.wondered).toEqual([{ type: 'PlayCard', card: jumpcard, jump: THE_2, after_pull: false }]);
  expect(inHand(jumpcard)).toBeGreaterThan(0);
});

it('sends “done” after all pending cards', async () => {
  bench.model.laying.lay('sure', THE_2);
  void bench.model.laying.done();
  await settle();
  expect(bench.acted.map((action) => action.type)).toEqual(['PlayCard']);
  await bench.keep(laid('sure', THE_2));
  expect(bench.acted.map((action) => action.type)).toEqual(['PlayCard', 'SayDone']);
});

it('plays one sound for each card', async () => {
  const sound = vi.spyOn(bench.shell, 'sound');
  bench.model.laying.lay('sure', THE_2);
  await settle();
  expect(sound.mock.calls).toEqual([['pop']]);
});

describe('a card after PULL', () => {
  it('is laid late only after a confirmation, as the rules require', async () => {
    const caution: Caution = { rule: 'late', key: 'late', sentence: 'You would be out.' };
    const late = { action: 'PlayCard', fields: ['card', 'jump', 'after_pull'], rows: [['sure', THE_2, true]] };
    bench.change({ phase: 'pulled' }, [{ ...late, cautions: { 0: [caution] } }]);
    bench.model.laying.lay('sure', THE_2);
    expect(bench.model.laying.warnings.map(({ sentence }) => sentence)).toEqual(['You would be out.']);
    expect([bench.acted, inHand('sure')]).toEqual([[], 2]);
    bench.model.laying.insist();
    await settle();
    expect(bench.acted).toEqual([{ type: 'PlayCard', card: 'sure', jump: THE_2, after_pull: true }]);
  });

  it('that is illegal after PULL is answered with the rule', async () => {
    bench.change({ phase: 'pulled' }, []);
    bench.model.laying.lay('sure', THE_2);
    await settle();
    expect(bench.wondered).toEqual([{ type: 'PlayCard', card: 'sure', jump: THE_2, after_pull: true }]);
    expect(inHand('sure')).toBe(2);
  });
});

describe('a card pressed before the jump', () => {
  it('explains its use, and when it can be laid', async () => {
    const plane = benchAt('boogie-5', ({ position: { view } }) => view.phase === 'plane');
    const hand = plane.draw(Hand);
    await fireEvent.click(hand.querySelector('[data-card="sure"]')!);
    expect(plane.shell.notice?.sentence).toMatch(/^✓: you jump here\..*Cards are only laid in the jump\.$/);
    expect(plane.acted).toEqual([]);
  });
});
