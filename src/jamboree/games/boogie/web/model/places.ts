/** Where events took place: at a jump, or with somebody. */
import type { Event, Jump } from './wire';

const jumpOf = ({ number, solo }: Jump): string => (solo === null ? `jump-${number}` : `solo-${solo}`);

export function places(event: Event): string[] {
  if ('jump' in event) return [jumpOf(event.jump)];
  if ('term' in event) return [jumpOf(event.term.jump)];
  if ('seat' in event) return [`seat-${event.seat}`];
  return [];
}
