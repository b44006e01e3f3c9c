/** The tables of lessons this browser has: to come back where one was. */
import type { Course } from '../after/suggest';

const KEY = 'jamboree.lessons';
const COACHED = ' '; // beside the games' keys: the last free game
const LEARNT = ''; // in a table's place, once all lessons of a game are behind us

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function keep(tables: Record<string, string>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // Without storage one begins anew.
  }
}

export const places = {
  of: (game: string): string | undefined => all()[game],
  remember: (game: string, code: string): void => keep({ ...all(), [game]: code }),
  /** Note that the course is over; who comes again begins at the first lesson. */
  finish: (game: string): void => keep({ ...all(), [game]: LEARNT }),
};

/** The free game after a course, where the coach is still to be asked. */
export const coached = {
  is: (code: string): boolean => all()[COACHED] === code,
  remember: (code: string): void => keep({ ...all(), [COACHED]: code }),
};

export function courseOf(game: string): Course {
  const table = all()[game];
  if (table === undefined) return 'new';
  return table === LEARNT ? 'learnt' : 'begun';
}
