import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import ui from '../../../src/jamboree/games/bebop/web';
import type { Action, Event, View } from '../../../src/jamboree/games/bebop/web/model/wire';
import { flushSync } from 'svelte';
import AskCoach from '../../src/learn/AskCoach.svelte';
import Coach from '../../src/learn/Coach.svelte';
import LessonList from '../../src/learn/LessonList.svelte';
import { placesNamedIn } from '../../src/learn/located_places.svelte';
import { Lessons } from '../../src/learn/lessons.svelte';
import { missedPoint } from '../../src/learn/missed_point';
import { coached, courseOf, places } from '../../src/learn/lesson_tables';
import { describeDimmed } from '../../src/learn/dimmed_places';
import { api } from '../../src/net/api';
import { catalogue } from '../../src/net/catalogue.svelte';
import { aCard } from '../game_cards';
import { Bench, stepOf } from '../test_table';

const BOOKED = stepOf<View, Event>('bebop-2', ({ events }) => events.some(({ type }) => type === 'SeatBooked'));
let bench: Bench<View, Action, Event, unknown>;

beforeEach(() => {
  localStorage.clear();
  bench = new Bench(ui as never, 'bebop-2', BOOKED.position);
});

function coach(stage: 'asking' | 'right' | 'wrong'): Record<'show' | 'next', ReturnType<typeof vi.spyOn>> {
  const lessons = new Lessons(bench.shell);
  lessons.at = { ...lessons.at, stage };
  const asked = { show: vi.spyOn(lessons, 'show'), next: vi.spyOn(lessons, 'next').mockReturnValue() };
  render(Coach, { lessons, folds: false, open: true, play: () => undefined });
  return asked;
}

test('`?` shows the move, and S skips the lesson', async () => {
  const { show, next } = coach('asking');
  await fireEvent.keyDown(document.body, { key: '?' });
  expect([show.mock.calls.length, next.mock.calls.length]).toEqual([1, 0]);
  await fireEvent.keyDown(document.body, { key: 'n' });
  expect(next).not.toHaveBeenCalled();
  await fireEvent.keyDown(document.body, { key: 's' });
  expect(next).toHaveBeenCalledTimes(1);
});

test.each([
  [0, 0, false, false],
  [3, 0, true, true],
  [3, 0, false, false],
  [3, 1, true, false],
])('a lesson at a new position is announced: lesson %d, step %d, relocated: %s', (lesson, step, relocated, said) => {
  const lessons = new Lessons(bench.shell);
  lessons.relocated = lesson > 0;
  lessons.at = { ...lessons.at, lesson, step };
  lessons.relocated = relocated;
  const { container } = render(Coach, { lessons, folds: false, open: true, play: () => undefined });
  expect(container.querySelector('.sayer')!.textContent!.includes('a new position')).toBe(said);
});

test('a lesson that continues at the same position is not at a new one', () => {
  const lessons = new Lessons(bench.shell);
  const begin = (lesson: number): boolean => {
    bench.store.table = { ...bench.store.table!, lesson: { ...lessons.at, lesson } };
    lessons.follow();
    return lessons.relocated;
  };
  expect([begin(0), begin(1)]).toEqual([false, false]);
  bench.change({ queue: [] });
  expect([begin(2), begin(3)]).toEqual([true, false]);
});

test('places named in a text are located on the board', () => {
  const root = document.createElement('main');
  root.innerHTML = '<i class="board"><i data-at="hex-c5"></i><i data-at="cell-b10"></i></i><i data-at="hand-d6"></i>';
  const text = 'Two fans at **c5** and d6, one at b10. Take the a4, the +3 and c5.';
  expect(placesNamedIn(text, root)).toEqual(['hex-c5', 'cell-b10']);
});

test('dimmed controls are described as such until the lesson ends', () => {
  const root = document.createElement('main');
  root.innerHTML =
    '<button data-at="seat-basic"></button><i data-at="hex-c5" tabindex="-1"></i><i data-at="stage-k"></i>';
  const said = (): (string | null)[] => [...root.children].map((one) => one.getAttribute('aria-description'));
  describeDimmed(root, ['hex-c5'], 'not in this lesson');
  expect(said()).toEqual(['not in this lesson', null, null]);
  describeDimmed(root, ['seat-basic'], 'not in this lesson');
  expect(said()).toEqual([null, 'not in this lesson', null]);
  describeDimmed(root, null, 'not in this lesson');
  expect(said()).toEqual([null, null, null]);
});

test('the controls of a place that is lit as a whole are not dimmed', () => {
  const root = document.createElement('main');
  root.innerHTML = '<ul data-lit="songs"><li data-lit="song-0"><button data-at="song-0"></button></li></ul>';
  const described = (places: string[]): boolean => {
    describeDimmed(root, places, 'not in this lesson');
    return root.querySelector('button')!.hasAttribute('aria-description');
  };
  expect([described(['songs']), described(['song-0']), described(['ball'])]).toEqual([false, false, true]);
});

test('on a phone the skip button has a short label and a full accessible name', () => {
  const lessons = new Lessons(bench.shell);
  render(Coach, { lessons, folds: true, open: true, play: () => undefined });
  expect(screen.getByRole('button', { name: 'Skip this lesson' }).textContent!.trim()).toBe('Skip');
});

test('a mistake in a strategy lesson names its cost, as far as it is known', () => {
  const lessons = new Lessons(bench.shell);
  const step = {
    text: '',
    goal: '',
    wrong: { away: 'Not there.', other: 'No.' },
    spot: [],
    costs: { away: 12, other: 7 },
  };
  lessons.texts = {
    coach: 'Opal',
    heading: '',
    end: '',
    seats: 2,
    lessons: [{ name: '', title: '', praise: '', steps: [step] }],
  };
  lessons.at = { ...lessons.at, course: 'strategy', stage: 'wrong', say: 'away' };
  const { container } = render(Coach, { lessons, folds: false, open: true, play: () => undefined });
  expect(container.querySelector('.cost')!.textContent).toBe('In 100 such games this move wins about 12 fewer.');
  lessons.at = { ...lessons.at, say: 'other' };
  flushSync();
  expect(container.querySelector('.cost')!.textContent).toContain('at least 7 fewer');
  lessons.texts = { ...lessons.texts, lessons: [{ name: '', title: '', praise: '', steps: [{ ...step, costs: {} }] }] };
  flushSync();
  expect(container.querySelector('.cost')).toBeNull();
});

test('the first course leads to the second, and the list of each to the other', async () => {
  vi.spyOn(api, 'games').mockResolvedValue([aCard({ key: 'bebop', lessons: 12, strategy: 5 })]);
  await catalogue.load();
  const lessons = new Lessons(bench.shell);
  lessons.over = true;
  const { container } = render(Coach, { lessons, folds: false, open: true, play: () => undefined });
  expect(container.querySelector('a[href$="learn/bebop/strategy"]')!.textContent).toContain('Strategy');
  const list = render(LessonList, { lessons }).container;
  expect(list.querySelector('a')!.getAttribute('href')).toMatch(/learn\/bebop\/strategy$/);
  lessons.at = { ...lessons.at, course: 'strategy' };
  flushSync();
  expect(container.querySelector('a[href$="strategy"]')).toBeNull();
  expect(list.querySelector('a')!.getAttribute('href')).toMatch(/learn\/bebop$/);
});

test('N continues after the right move, and S does nothing then', async () => {
  const { show, next } = coach('right');
  await fireEvent.keyDown(document.body, { key: 's' });
  await fireEvent.keyDown(document.body, { key: '?' });
  expect([show.mock.calls.length, next.mock.calls.length]).toEqual([0, 0]);
  await fireEvent.keyDown(document.body, { key: 'N', shiftKey: true });
  expect(next).toHaveBeenCalledTimes(1);
});

test('a lower-case coordinate is a place on the board', async () => {
  const { next } = coach('asking');
  const board = document.body.appendChild(document.createElement('div'));
  board.className = 'board';
  board.innerHTML = '<i data-at="hex-s4"></i>';
  await fireEvent.keyDown(board, { key: 's' });
  expect(next).not.toHaveBeenCalled();
  await fireEvent.keyDown(board, { key: 'S', shiftKey: true });
  expect(next).toHaveBeenCalledTimes(1);
  board.innerHTML = '<i data-at="hex-a4"></i>';
  await fireEvent.keyDown(board, { key: 's' });
  expect(next).toHaveBeenCalledTimes(2);
  board.remove();
});

test('a wrong move is compared with the right place', async () => {
  const event = { type: 'SeatBooked', seat: bench.shell.me!, hex: 'b7', die: { colour: 'red', face: 'keys' } } as Event;
  bench.step({}, undefined, [event]);
  await expect.poll(() => bench.shell.animating).toBe(false);
  bench.store.log = [{ seq: bench.store.seq, index: 0, seat: bench.shell.me, text: 'Booked.', undone: false, event }];
  const before = ui.scores!(bench.table.view);
  const loss = missedPoint(bench.shell, ['hand-0', 'hex-e6'], before);
  expect(loss).toEqual({ from: 'hex-b7', to: 'hex-e6', points: 0 });
  expect(missedPoint(bench.shell, ['hand-0', 'hex-b7'], before)).toBeNull();
});

test('the coach of a free game computes a hint at once', async () => {
  const think = vi.spyOn(bench.shell.hints, 'think').mockResolvedValue();
  vi.spyOn(bench.shell, 'canAct', 'get').mockReturnValue(true);
  render(AskCoach, { table: bench.shell });
  await fireEvent.click(screen.getByRole('button', { name: 'Ask the coach' }));
  expect(think).toHaveBeenCalledTimes(1);
});

test('the browser stores the progress of a course and its free game', () => {
  expect(courseOf('bebop')).toBe('new');
  places.remember('bebop', 'abc');
  expect(courseOf('bebop')).toBe('begun');
  places.finish('bebop');
  coached.remember('xyz');
  expect([courseOf('bebop'), coached.is('xyz'), coached.is('abc')]).toEqual(['learnt', true, false]);
});
