import { describe, expect, it } from 'vitest';
import { stepOf, updates } from '$tests/test_table';
import ui from '../index';
import Board from '../board/Board.svelte';
import type { Action, Event, View } from '../model/wire';
import { Bench } from './test_table';

const SCORED = stepOf<View, Event>('boogie-5', ({ events }) => events.filter(isScored).length > 1);

function isScored({ type }: Event): boolean {
  return type === 'JumpScored';
}

/** The log after the jury, and what came later. */
function told(later: Event[] = []): { bench: Bench; last: Extract<Event, { type: 'JumpScored' }> } {
  const bench = new Bench('boogie-5', SCORED.position);
  const events = [...SCORED.events, ...later];
  bench.store.log = events.map((event, index) => ({
    seq: 1,
    index,
    seat: null,
    text: event.type,
    undone: false,
    event,
  }));
  return { bench, last: SCORED.events.filter(isScored).at(-1) as never };
}

describe('an explained log entry', () => {
  it('makes the jury show its jump, which is ringed', () => {
    const { bench, last } = told();
    bench.draw(Board);
    const { jumps } = bench.table.view.jury;
    ui.reveal!(last, bench.model);
    expect(jumps[bench.model.jury.jump]?.jump).toEqual(last.jump);
    const [chip] = ui.places!(last, bench.model);
    expect(document.querySelectorAll(`button[data-lit="${chip}"]`)).toHaveLength(1);
  });

  it('shows the players involved once another plane has left', () => {
    const { bench, last } = told([{ type: 'PlaneBoarded', jumprun: 2, jumpmaster: 1 }]);
    const before = bench.model.jury.jump;
    ui.reveal!(last, bench.model);
    expect(bench.model.jury.jump).toBe(before);
    expect(ui.places!(last, bench.model)).toEqual(last.jumpers.map((seat) => `seat-${seat}`));
  });

  it('places a hint at its jump, or at its addressee', () => {
    const { bench } = told();
    const me = bench.table.me!;
    const at = (action: Action): string[] => ui.targets!(action, bench.model, me);
    expect(at({ type: 'PromiseTo', to: 2 })).toEqual(['seat-2']);
    expect(at({ type: 'PromiseTo', to: null })).toEqual([]);
    const { number } = bench.model.formations[1]!;
    expect(at({ type: 'PlayCard', card: 'sure', jump: { number, solo: null } })).toEqual([`jump-${number}`]);
    expect(at({ type: 'PlayCard', card: 'sure', jump: { number: 1, solo: me } })).toEqual([`seat-${me}`]);
    const term = { pledge: 'sure', jump: { number, solo: null }, worth: 0 } as const;
    expect(at({ type: 'Promise', term })).toEqual([`jump-${number}`]);
    expect(at({ type: 'SayDone' })).toEqual([]);
  });

  it('finds a place for every event about a jump or a player', () => {
    const { bench } = told();
    const seen = updates<View, Event>('boogie-5').flatMap(({ events }) => events);
    const nowhere = seen.filter((event) => !ui.places!(event, bench.model).length).map(({ type }) => type);
    const about = ['JumpScored', 'CardLaid', 'PromiseMade', 'PromiseJudged', 'JumpersCounted', 'SaidDone'];
    expect(nowhere.filter((type) => about.includes(type))).toEqual([]);
  });
});
