/** The last move of the log for a big screen: what it was, what it paid, and the rule that explains it. */
import type { LogEntry } from '$lib/contract';
import type { Event, EventOf, Stage } from './wire';

const BEGINS: Event['type'][] = ['SeatClaimed', 'SeatBooked', 'SeatPassed'];

/** The events of each move, the oldest first. A second claim and a booking at once belong to the move before. */
export function moves(log: LogEntry[]): Event[][] {
  const found: Event[][] = [];
  let seat: number | null = null;
  let open = ''; // the special whose power may still be used
  for (const line of log) {
    const event = line.event as Event | undefined;
    if (line.undone || !event || event.type === 'MajorityScored' || event.type === 'GameEnded') continue;
    if (BEGINS.includes(event.type) && !(line.seat === seat && follows(open, event))) found.push([]);
    found.at(-1)?.push(event);
    if (line.seat !== null) seat = line.seat;
    open = opened(open, event);
  }
  return found;
}

const follows = (open: string, { type }: Event): boolean =>
  (open === 'double' && type === 'SeatClaimed') || (open === 'insta' && type === 'SeatBooked');

/** The special whose power can be used next. */
function opened(before: string, event: Event): string {
  if (event.type === 'SeatClaimed') return event.face_down ? '' : event.tile;
  return event.type === 'SeatBooked' || event.type === 'FollowUpDeclined' ? '' : before;
}

type MoveEvent = EventOf<'SeatBooked'> | EventOf<'SeatClaimed'> | EventOf<'SeatPassed'>;

export interface LastMove {
  action: MoveEvent; // the booking, or else the last claim
  family?: EventOf<'FamilyScored'>;
  banner?: EventOf<'BannerMoved'>;
  booted?: EventOf<'SeatBooted'>;
  features: EventOf<'FeatureScored'>[];
  points: number; // of the player
}

export function lastMove(log: LogEntry[]): LastMove | null {
  const events = moves(log).at(-1) ?? [];
  const find = <T extends Event['type']>(type: T): EventOf<T> | undefined =>
    events.findLast((event): event is EventOf<T> => event.type === type);
  const action = find('SeatBooked') ?? find('SeatClaimed') ?? find('SeatPassed');
  if (!action) return null;
  const family = find('FamilyScored');
  const features = events.filter((event): event is EventOf<'FeatureScored'> => event.type === 'FeatureScored');
  const won = features.filter(({ winners }) => winners.includes(action.seat));
  const points = won.reduce((sum, feature) => sum + feature.points, family?.points ?? 0);
  return { action, family, banner: find('BannerMoved'), booted: find('SeatBooted'), features, points };
}

const SPECIALS = ['vip', 'double', 'backstage', 'insta', 'boot'];

/** The kind of events that an event is an example of. */
function kindOf(event: Event): string {
  switch (event.type) {
    case 'SeatClaimed':
      return event.face_down ? 'face-down' : SPECIALS.includes(event.tile) ? event.tile : 'claim';
    case 'SeatBooked':
      return 'book';
    case 'FamilyScored':
      return 'family';
    case 'BannerMoved':
      return 'banner';
    case 'FeatureScored':
      if (event.winners.length > 1) return 'tie';
      return 'plays';
    case 'DieRerolled':
      return 'reroll';
    default:
      return '';
  }
}

const PERFORMED = ['tie', 'plays'];
const RARE_FIRST = [...PERFORMED, ...SPECIALS, 'face-down', 'banner', 'family', 'book', 'reroll', 'claim'];

/** The rule that the last move shows for the first time in this game; in the first round there is always one. */
export function ruleShown(log: LogEntry[], stages: Stage[], seats: number): string {
  const all = moves(log);
  const kinds = all.map((events) => events.map(kindOf));
  const earlier = new Set(kinds.slice(0, -1).flat());
  const shown = RARE_FIRST.find((kind) => kinds.at(-1)?.includes(kind) && !earlier.has(kind));
  if (shown) return shown;
  if (PERFORMED.some((kind) => earlier.has(kind))) return '';
  if (stages.some(({ tokens, missing }) => tokens.length && missing.length === 1)) return 'stage-soon';
  return all.length <= seats ? 'turn' : '';
}
