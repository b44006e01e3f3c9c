import { describe, expect, it } from 'vitest';
import { stepOf, updates } from '$tests/bench';
import face from '../index';
import Board from '../board/Board.svelte';
import type { Event, View } from '../model/wire';
import { Bench } from './bench';

const SCORED = stepOf<View, Event>('boogie-5', ({ events }) => events.filter(isScored).length > 1);

function isScored({ type }: Event): boolean {
  return type === 'JumpScored';
}

/** The log after the jury, and what came later. */
function told(later: Event[] = []): { bench: Bench; last: Extract<Event, { type: 'JumpScored' }> } {
  const bench = new Bench('boogie-5', SCORED.position);
  const events = [...SCORED.events, ...later];
  bench.room.log = events.map((event, place) => ({
    seq: 1,
    place,
    seat: null,
    text: event.type,
    undone: false,
    event,
  }));
  return { bench, last: SCORED.events.filter(isScored).at(-1) as never };
}

describe('a line of the log', () => {
  it('has the jury turn to its jump, which is ringed', () => {
    const { bench, last } = told();
    bench.draw(Board);
    const { jumps } = bench.table.view.jury;
    face.turnTo!(last, bench.model);
    expect(jumps[bench.model.jury.jump]?.jump).toEqual(last.jump);
    const [chip] = face.places!(last, bench.model);
    expect(document.querySelectorAll(`button[data-lit="${chip}"]`)).toHaveLength(1);
  });

  it('shows who it was about once another plane has left', () => {
    const { bench, last } = told([{ type: 'PlaneBoarded', jumprun: 2, jumpmaster: 1 }]);
    const before = bench.model.jury.jump;
    face.turnTo!(last, bench.model);
    expect(bench.model.jury.jump).toBe(before);
    expect(face.places!(last, bench.model)).toEqual(last.jumpers.map((seat) => `seat-${seat}`));
  });

  it('names people in words that were read after a reload', () => {
    const { bench } = told();
    const name = bench.table.name(2);
    expect(face.mentioned!(`${name} is ready.`, bench.model)).toEqual(['seat-2']);
    const { number } = bench.model.formations[1]!;
    expect(face.mentioned!(`Lay a ✓ on the ${number}`, bench.model)).toEqual([`jump-${number}`]);
    expect(face.mentioned!(`Lay a ✓ on the ${number}0`, bench.model)).toEqual([]);
    expect(face.mentioned!('Lay a 0 on my solo', bench.model)).toEqual([`seat-${bench.table.me}`]);
  });

  it('finds a place for every event that is about a jump or about somebody', () => {
    const { bench } = told();
    const seen = updates<View, Event>('boogie-5').flatMap(({ events }) => events);
    const nowhere = seen.filter((event) => !face.places!(event, bench.model).length).map(({ type }) => type);
    const about = ['JumpScored', 'CardLaid', 'PromiseMade', 'PromiseJudged', 'JumpersCounted', 'SaidDone'];
    expect(nowhere.filter((type) => about.includes(type))).toEqual([]);
  });
});
