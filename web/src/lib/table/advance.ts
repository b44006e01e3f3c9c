/**
 * Intermediate views between two steps: the only position that the client computes itself.
 *
 * The server sends one view for each step, and a step can have two dozen events that are animated one after another for
 * several seconds. Meanwhile the table must show the events animated so far and no more: in the old view a token would
 * fly to a seat that does not exist yet, in the new one the points would be visible before they are scored. A view for
 * each event would multiply the size of every frame.
 *
 * A table UI may therefore apply events to the view it shows. This needs no rules: an event says what changed, and the
 * change is copied. Nothing else may use the result, which the server's view replaces at the end of the animation. The
 * tests of each table UI replay whole recorded games this way and compare the result with the server's views.
 */
import type { Tagged } from '../contract';

export type Advances<S, E extends Tagged, V = S> = {
  [K in E['type']]?: (shown: S, event: Extract<E, { type: K }>, after: V) => Partial<S>;
};

/** Apply one event of a step to the shown state. */
export function applyEvent<S, E extends Tagged, V>(by: Advances<S, E, V>, shown: S, event: E, after: V): S {
  const advance = by[event.type as E['type']] as ((shown: S, event: E, after: V) => Partial<S>) | undefined;
  return advance ? { ...shown, ...advance(shown, event, after) } : shown;
}
