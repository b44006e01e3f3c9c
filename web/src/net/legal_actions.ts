/** Decodes legal actions, which the wire sends as indexes into the list of all actions. */
import type { Offers } from '$lib/actions';
import type { ActionGroup, Legal } from '$types/wire';
import type { Position, SentPosition } from './wire';

/** All actions of a game, as they come with the welcome. */
export class Repertoire {
  constructor(private readonly groups: ActionGroup[] = []) {}

  /** Write a position's legal actions out. */
  heard(position: SentPosition): Position {
    return { ...position, legal: this.legal(position.legal) };
  }

  private legal({ places, cautions }: Legal): Offers[] {
    if (!places) return [];
    const chosen = bytes(places);
    const warned = cautions.map(({ places: about, ...caution }) => ({ caution, about: bytes(about) }));
    let start = 0;
    const offered = this.groups.map(({ action, fields, rows }) => {
      const offers: Offers = { action, fields, rows: [], cautions: {} };
      rows.forEach((row, at) => {
        if (!has(chosen, start + at)) return;
        const warnings = warned.filter(({ about }) => has(about, start + at));
        if (warnings.length) offers.cautions[offers.rows.length] = warnings.map(({ caution }) => caution);
        offers.rows.push(row);
      });
      start += rows.length;
      return offers;
    });
    return offered.filter(({ rows }) => rows.length);
  }
}

/** What a table hears of a recorded game, whose positions are whole. */
export function heardFrom<T extends { type: string }>(frames: T[]): T[] {
  let repertoire = new Repertoire();
  return frames.map((frame) => {
    const { actions, position } = frame as T & { actions?: ActionGroup[] | null; position?: SentPosition | null };
    if (actions) repertoire = new Repertoire(actions);
    return position ? { ...frame, position: repertoire.heard(position) } : frame;
  });
}

function bytes(places: string): number[] {
  return Array.from({ length: places.length / 2 }, (_, at) => parseInt(places.slice(2 * at, 2 * at + 2), 16));
}

function has(places: number[], place: number): boolean {
  return ((places[place >> 3]! >> (place & 7)) & 1) === 1;
}
