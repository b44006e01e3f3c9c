/** Lesson tables of this browser, so that a course can be resumed. */
import { own } from '$lib/own_property';
import { isString, store, recallRecord } from '$lib/storage';
import type { Course } from '../postgame/suggestions';

const KEY = 'jamboree.lessons';
const COACHED = ' '; // additional key: the last free game
const LEARNT = ''; // instead of a table's code: the course is finished

const all = (): Record<string, string> => recallRecord(KEY, isString);

export const places = {
  of: (game: string): string | undefined => own(all(), game),
  remember: (game: string, code: string): void => store(KEY, { ...all(), [game]: code }),
  /** Mark the course as finished; it starts again at the first lesson. */
  finish: (game: string): void => store(KEY, { ...all(), [game]: LEARNT }),
};

/** The free game after a course, where the coach gives hints. */
export const coached = {
  is: (code: string): boolean => all()[COACHED] === code,
  remember: (code: string): void => store(KEY, { ...all(), [COACHED]: code }),
};

export function courseOf(game: string): Course {
  const table = own(all(), game);
  if (table === undefined) return 'new';
  return table === LEARNT ? 'learnt' : 'begun';
}
