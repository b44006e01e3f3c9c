/** Decodes legal actions, which the wire sends as indexes into the list of all actions. */
import type { DecodedGroup } from '$lib/actions';
import type { ActionGroup, Legal } from '$types/wire';
import type { Position, RawPosition } from './wire';

/** All actions of a game, sent with the welcome. */
export class ActionTable {
  constructor(private readonly groups: ActionGroup[] = []) {}

  /** Decode a position's legal actions. */
  decode(position: RawPosition): Position {
    return { ...position, legal: this.legal(position.legal) };
  }

  private legal({ mask, cautions }: Legal): DecodedGroup[] {
    if (!mask) return [];
    const chosen = bytes(mask);
    const warned = cautions.map(({ mask: about, ...caution }) => ({ caution, about: bytes(about) }));
    let start = 0;
    const offered = this.groups.map(({ action, fields, rows }) => {
      const offers: DecodedGroup = { action, fields, rows: [], cautions: {} };
      rows.forEach((row, at) => {
        if (!hasBit(chosen, start + at)) return;
        const warnings = warned.filter(({ about }) => hasBit(about, start + at));
        if (warnings.length) offers.cautions[offers.rows.length] = warnings.map(({ caution }) => caution);
        offers.rows.push(row);
      });
      start += rows.length;
      return offers;
    });
    return offered.filter(({ rows }) => rows.length);
  }
}

/** Decode the frames of a recorded game, whose positions are whole. */
export function decodeRecording<T extends { type: string }>(frames: T[]): T[] {
  let table = new ActionTable();
  return frames.map((frame) => {
    const { actions, position } = frame as T & { actions?: ActionGroup[] | null; position?: RawPosition | null };
    if (actions) table = new ActionTable(actions);
    return position ? { ...frame, position: table.decode(position) } : frame;
  });
}

function bytes(mask: string): number[] {
  return Array.from({ length: mask.length / 2 }, (_, at) => parseInt(mask.slice(2 * at, 2 * at + 2), 16));
}

function hasBit(mask: number[], index: number): boolean {
  return ((mask[index >> 3]! >> (index & 7)) & 1) === 1;
}
