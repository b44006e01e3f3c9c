/**
 * The view between two steps, the one position that the client works out itself.
 *
 * The server sends a view for every step, and a step can have two dozen events that are told one after the other, for
 * seconds. All that time the table has to show what has been told and nothing else: with the old view a token would fly
 * to a seat that is not there, with the new one the points would be known before they are scored. A view for each event
 * would make every frame many times as large, for the few seconds in which somebody looks.
 *
 * So a face may play events on the view it shows. It knows no rules for that: an event says what changed, and is copied.
 * Nothing else may use the result, which ends with the story: then the server's view is on the table again. The tests of
 * a face play whole recorded games this way, and compare what comes out with what the server sent.
 */
import type { Tagged } from '../contract';

export type Advances<S, E extends Tagged, V = S> = {
  [K in E['type']]?: (shown: S, event: Extract<E, { type: K }>, after: V) => Partial<S>;
};

/** Show a position as it is after one more event of a step that leads to another. */
export function advanced<S, E extends Tagged, V>(by: Advances<S, E, V>, shown: S, event: E, after: V): S {
  const advance = by[event.type as E['type']] as ((shown: S, event: E, after: V) => Partial<S>) | undefined;
  return advance ? { ...shown, ...advance(shown, event, after) } : shown;
}
