/** Hash routes and their pages. An unknown address leads to the not-found page. */
import { parseMoment } from './postgame/share/moment';
import type { PageName } from './pages';

export interface Destination {
  page: PageName;
  props: Record<string, unknown>; // properties parsed from the address
}

type Read = (...rest: string[]) => Destination | null;

const GAME = /^[a-z][a-z0-9-]*$/; // these four as on the server
const CODE = /^[a-z0-9]{1,32}$/;
const SECRET = /^[\w=-]{1,100}$/;
const RULE = /^[a-z0-9-]+$/;

const NOWHERE: Destination = { page: 'nowhere', props: {} };

const ROUTES = new Map<string, Read>([
  ['t', (text, what, secret, ...more) => table(text, what, secret, more)],
  ['tv', (text, ...more) => (text === undefined ? { page: 'screen', props: {} } : at('tv', text, more))],
  ['learn', (game, course, ...more) => learn(game, course, more)],
  ['rules', (game, rule, ...more) => rules(game, rule, more)],
  ['replay', (text, step, seat, ...more) => at('replay', text, more, parseMoment(step, seat))],
  ['analysis', (text, ...more) => at('analysis', text, more)],
  ['fairness', (text, ...more) => at('fairness', text, more)],
  ['journal', (what, ...more) => (what === 'watch' && !more.length ? { page: 'journal', props: {} } : null)],
  ['admin', (...more) => (more.length ? null : { page: 'admin', props: {} })],
]);

export function destinationOf(path: readonly string[] | null): Destination {
  if (path?.length === 0) return { page: 'home', props: {} };
  const [name = '', ...rest] = path ?? [];
  return ROUTES.get(name)?.(...rest) ?? NOWHERE;
}

/** Normalise a table's code: case, spaces and hyphens do not matter. */
export function codeIn(text: string | undefined): string | null {
  const code = text?.replace(/[\s-]/g, '').toLowerCase() ?? '';
  return CODE.test(code) ? code : null;
}

const isGame = (text: string | undefined): text is string => text !== undefined && GAME.test(text);

function at(page: PageName, text: string | undefined, more: string[], props: object = {}): Destination | null {
  const code = codeIn(text);
  return code && !more.length ? { page, props: { code, ...props } } : null;
}

/** A course of a game: its lessons, or those on strategy. */
function learn(game: string | undefined, course: string | undefined, more: string[]): Destination | null {
  if (!isGame(game) || more.length || (course !== undefined && course !== 'strategy')) return null;
  return { page: 'learn', props: course ? { game, course } : { game } };
}

/** A table, or a device link to it. */
function table(
  text: string | undefined,
  what: string | undefined,
  secret: string | undefined,
  more: string[],
): Destination | null {
  if (what === undefined) return at('t', text, more);
  return what === 'link' && secret && SECRET.test(secret) ? at('t', text, more, { secret }) : null;
}

function rules(game: string | undefined, rule: string | undefined, more: string[]): Destination | null {
  const fits = isGame(game) && (rule === undefined || RULE.test(rule)) && !more.length;
  return fits ? { page: 'rules', props: { game, rule } } : null;
}
