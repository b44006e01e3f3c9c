/** Maps events to places: a jump while its cards are visible, otherwise the players involved. */
import { sameJump } from './cards';
import type { Action, Event, Jump } from './wire';

export const placeOf = ({ number, solo }: Jump): string => (solo === null ? `jump-${number}` : `solo-${solo}`);

/** Place of a jump during planning; a solo's is its player. */
export const zoneOf = ({ number, solo }: Jump): string => (solo === null ? `jump-${number}` : `seat-${solo}`);

/** `gone`: the next plane has left since, so its cards are no longer visible. */
export function places(event: Event, gone: boolean): string[] {
  const jump = jumpOf(event);
  if (!jump || gone) return peopleIn(event).map((seat) => `seat-${seat}`);
  return event.type === 'JumpScored' ? [placeOf(jump), 'verdict'] : [placeOf(jump)];
}

/** Place of an action's jump or addressee. */
export function targets(action: Action): string[] {
  if (action.type === 'PromiseTo') return action.to === null ? [] : [`seat-${action.to}`];
  const jump = 'jump' in action ? action.jump : 'term' in action ? action.term.jump : null;
  return jump ? [zoneOf(jump)] : [];
}

export function jumpOf(event: Event): Jump | null {
  if ('jump' in event) return event.jump;
  return 'term' in event ? event.term.jump : null;
}

/** The jury judges all jumps in one step: events of one jump do not explain another. */
export function explains(event: Event, later: Event): boolean {
  return 'jump' in event && 'jump' in later && sameJump(event.jump, later.jump);
}

function peopleIn(event: Event): number[] {
  if ('jumpers' in event) return event.jumpers;
  if ('seat' in event) return [event.seat];
  if (event.type !== 'JumprunScored') return [];
  return event.points.flatMap((points, seat) => (points ? [seat] : []));
}
