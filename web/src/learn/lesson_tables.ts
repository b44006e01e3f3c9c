/** Lesson tables of this browser, so that a course can be resumed. */
import { own } from '$lib/own_property';
import { isString, store, recallRecord } from '$lib/storage';
import type { CourseKind } from '../net/wire';
import type { Course } from '../postgame/suggestions';

const KEY = 'jamboree.lessons';
const COACHED = ' '; // additional key: the last free game
const LEARNT = ''; // instead of a table's code: the course is finished

const keyOf = (game: string, course: CourseKind): string => (course === 'basics' ? game : `${game} ${course}`);
const all = (): Record<string, string> => recallRecord(KEY, isString);

export const places = {
  of: (game: string, course: CourseKind = 'basics'): string | undefined => own(all(), keyOf(game, course)),
  remember: (game: string, code: string, course: CourseKind = 'basics'): void =>
    store(KEY, { ...all(), [keyOf(game, course)]: code }),
  /** Mark the course as finished; it starts again at the first lesson. */
  finish: (game: string, course: CourseKind = 'basics'): void =>
    store(KEY, { ...all(), [keyOf(game, course)]: LEARNT }),
};

/** The free game after a course, where the coach gives hints. */
export const coached = {
  is: (code: string): boolean => all()[COACHED] === code,
  remember: (code: string): void => store(KEY, { ...all(), [COACHED]: code }),
};

export function courseOf(game: string, course: CourseKind = 'basics'): Course {
  const table = places.of(game, course);
  if (table === undefined) return 'new';
  return table === LEARNT ? 'learnt' : 'begun';
}
