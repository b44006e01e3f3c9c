import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Bench } from './test_table';
import { settle, updates, type Update } from '$tests/test_table';
import { screen as display } from '$lib/screen.svelte';
import Board from '../board/Board.svelte';
import { decidingCard } from '../board/jury/deciding_card';
import { sameJump } from '../model/cards';
import type { Event, View } from '../model/wire';

let bench: Bench;
let jury: Update<View, Event>;
let before: Update<View, Event>['position'];
let sound: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.animate ??= () =>
    ({ finished: Promise.resolve(), cancel: () => undefined }) as unknown as Animation;
  const steps = updates<View, Event>('boogie-5');
  const at = steps.findIndex(isJury);
  jury = steps[at]!;
  before = steps[at - 1]!.position;
  bench = new Bench('boogie-5', before);
  sound = vi.spyOn(bench.shell, 'sound');
  return () => vi.useRealTimers();
});

function isJury(frame: Update<View, Event>): boolean {
  return frame.events.some((event) => event.type === 'CardsTurned');
}

function heard(): string[] {
  return (sound.mock.calls as unknown[][]).map(([name]) => name as string);
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await settle();
}

async function hear(frame: object): Promise<void> {
  bench.store.receive(frame as Parameters<typeof bench.store.receive>[0]);
  await settle();
}

const begin = (): Promise<void> => hear(jury);

describe('PULL', () => {
  it('is in the prompt at once, while the call is still animated', async () => {
    await begin();
    expect([bench.model.pulled, bench.shell.prompt]).toEqual([true, bench.table.t('web.pull')]);
    await pass(1150);
    expect(bench.shell.prompt).toContain('The jury looks at');
  });

  it('prompts at once for a decision between PULL and the jury', async () => {
    const last = bench.store.position!;
    const position = { ...last, question: 'Too late?', view: { ...(last.view as View), phase: 'pulled' } };
    const events = jury.events.filter((event) => event.type === 'PullCalled');
    await hear({ ...jury, seq: bench.store.seq + 1, events, sentences: ['PULL!'], position });
    expect([bench.model.pulled, bench.table.view.phase, bench.shell.prompt]).toEqual([true, 'pulled', 'Too late?']);
    await pass(1150);
    expect([bench.model.pulled, bench.model.locked]).toEqual([false, true]);
  });
});

describe('the jury', () => {
  it('shows PULL, and reveals one card after another', async () => {
    await begin();
    expect([bench.model.pulled, bench.model.scene]).toEqual([true, 'jump']);
    await pass(1150);
    expect([bench.model.pulled, bench.model.scene, bench.model.jury.shown.cards]).toEqual([false, 'jury', 0]);
    await pass(750);
    expect(bench.model.jury.shown.cards).toBe(1);
    await pass(700);
    expect(bench.model.jury.shown.cards).toBe(2);
    expect(heard().slice(0, 3)).toEqual(['canopy', 'flip', 'flip']);
  });

  it('never shows dice before the roll, nor points before the scoring', async () => {
    await begin();
    const scored = bench.table.view.points.length;
    for (let beat = 0; beat < 30 && !bench.model.jury.shown.scored; beat++) {
      const { rolled, weighed, counted } = bench.model.jury.shown;
      expect(!rolled || (weighed && counted)).toBe(true);
      await pass(400);
    }
    expect(bench.model.jury.shown.scored).toBe(true);
    expect(bench.table.view.points).toHaveLength(scored);
  });

  it('plays to its end, with a kazoo for every broken promise', async () => {
    await begin();
    await pass(90_000);
    const broken = jury.events.filter((event) => event.type === 'PromiseJudged' && event.verdict === 'broken');
    expect(heard().filter((name) => name === 'kazoo')).toHaveLength(broken.length);
    expect([bench.model.jury.playing, bench.table.view.phase]).toEqual([false, 'preparation']);
    expect(bench.table.view.points).toHaveLength(1);
  });

  it('can be sped up, paused and skipped', async () => {
    await begin();
    await pass(1200);
    bench.model.jury.next();
    await settle();
    expect(bench.model.jury.shown.cards).toBe(1);
    bench.model.jury.hold();
    await pass(30_000);
    expect(bench.model.jury.shown.cards).toBe(1);
    bench.model.jury.next();
    await settle();
    expect(bench.model.jury.shown.cards).toBe(2);
    bench.model.jury.skip();
    await pass(10);
    expect([bench.model.jury.playing, bench.table.view.phase]).toEqual([false, 'preparation']);
  });

  it('is synchronised on a device that receives it late', async () => {
    await begin();
    await pass(6000);
    const late = new Bench('boogie-5', before);
    const clock = { kind: 'phase', left: 54, of: 60, running: true, seats: [] };
    late.store.receive({ ...jury, clock } as unknown as Parameters<typeof late.store.receive>[0]);
    await pass(1250);
    const told = ({ jump, shown }: Bench['model']['jury']): unknown => [jump, shown];
    expect(late.model.jury.playing).toBe(true);
    expect(told(late.model.jury)).toEqual(told(bench.model.jury));
    await pass(2000);
    expect(told(late.model.jury)).toEqual(told(bench.model.jury));
  });

  it('is skipped when the next plane has already left', async () => {
    await begin();
    await pass(2000);
    bench.step(() => ({ phase: 'plane', jumprun: 2 }));
    await pass(1500);
    expect([bench.model.jury.playing, bench.model.scene]).toEqual([false, 'plane']);
  });
});

describe('promises before the jury', () => {
  const stampsOf = (): { jump: number; verdicts: (string | null)[] }[] => {
    const found: { jump: number; verdicts: (string | null)[] }[] = [];
    const { stamp } = bench.model.jury;
    bench.model.jury.stamp = (promised) => {
      const at = bench.model.jury.jump;
      if (found.at(-1)?.jump !== at) found.push({ jump: at, verdicts: [] });
      found.at(-1)!.verdicts.push(promised.verdict);
      stamp.call(bench.model.jury, promised);
    };
    return found;
  };

  it('are all stamped while their jump is shown', async () => {
    const found = stampsOf();
    await begin();
    await pass(90_000);
    const { promises, jumps } = jury.position.view.jury;
    expect(found.flatMap((each) => each.verdicts)).toHaveLength(promises.length);
    const about = promises.filter((one) => jumps.some(({ jump }) => sameJump(jump, one.term.jump)));
    const first = about.map((one) => jumps.findIndex(({ jump }) => sameJump(jump, one.term.jump)));
    expect(found.map((each) => each.jump)).toEqual(expect.arrayContaining([...new Set(first)]));
  });

  it.each([true, false])(
    'are shown on every screen, and a broken one stays as long as its jump (small: %s)',
    async (small) => {
      vi.spyOn(display, 'small', 'get').mockReturnValue(small);
      const position = structuredClone(jury.position);
      const lie = position.view.jury.promises[0]!;
      lie.verdict = 'broken';
      const at = position.view.jury.jumps.findIndex(({ jump }) => sameJump(jump, lie.term.jump));
      bench.draw(Board);
      await hear({ ...jury, position });
      for (let beat = 0; beat < 400 && !bench.model.jury.stamped.size; beat++) await pass(100);
      expect([bench.model.jury.jump, document.querySelectorAll('.stamp').length]).toEqual([at, 1]);
      expect(document.querySelector('.stamp.broken')!.textContent).toBe('broken');
      await pass(90_000);
      const step = document.querySelectorAll('.steps button')[at]!;
      expect(step.querySelectorAll('.liar').length).toBeGreaterThan(0);
      expect(document.querySelectorAll('.seats .liar').length).toBeGreaterThan(0);
    },
  );
});

describe('the jury at a party', () => {
  beforeEach(() => {
    bench.store.table = { ...bench.store.table!, party: true, screens: 1 };
  });

  it('begins at the common moment of all devices, and pauses before each deciding card', async () => {
    const [due, deciding] = [performance.now() + 700, jury.position.view.jury.jumps.map(decidingCard)];
    expect(deciding.some((card) => card !== null)).toBe(true);
    await hear({ ...jury, due });
    await pass(600);
    expect(bench.model.pulled).toBe(false);
    await pass(150);
    expect(bench.model.pulled).toBe(true);
    let stops = 0;
    let stopped = false;
    for (let beat = 0; beat < 20 || bench.model.jury.playing; beat++) {
      const { shown, jump } = bench.model.jury;
      if (shown.stop && !stopped) {
        stops++;
        expect(shown.cards).toBe(deciding[jump]);
      }
      stopped = shown.stop;
      await pass(100);
    }
    expect(stops).toBe(deciding.filter((card) => card !== null).length);
  });

  it('catches up on a device that receives it late', async () => {
    await hear({ ...jury, due: performance.now() });
    await pass(4250);
    const others = bench.model.jury.shown;
    bench = new Bench('boogie-5', before);
    bench.store.table = { ...bench.store.table!, party: true };
    await hear({ ...jury, due: performance.now() - 3000 });
    await pass(1250);
    expect(bench.model.jury.shown).toEqual(others);
  });
});
