/** Legal actions: grouped by type on the wire, listed one by one for a table UI. */
import type { Caution, Tagged } from './contract';

export interface DecodedGroup {
  action: string;
  fields: string[];
  rows: unknown[][];
  cautions: Record<string, Caution[]>;
}

/** A key of an action that does not depend on the order of its fields. */
export function keyOf(action: Tagged): string {
  return JSON.stringify(Object.entries(action).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function same(one: Tagged | null, other: Tagged | null): boolean {
  return one === other || (!!one && !!other && keyOf(one) === keyOf(other));
}

export class LegalActions {
  readonly all: Tagged[] = [];
  private readonly byType = new Map<string, Tagged[]>();
  private readonly warned = new Map<string, Caution[]>();

  constructor(groups: DecodedGroup[]) {
    for (const group of groups) group.rows.forEach((row, index) => this.add(group, row, index));
  }

  of(type: string): Tagged[] {
    return this.byType.get(type) ?? [];
  }

  cautions(action: Tagged): Caution[] {
    return this.warned.size ? (this.warned.get(keyOf(action)) ?? []) : [];
  }

  private add(group: DecodedGroup, row: unknown[], index: number): void {
    const values = Object.fromEntries(group.fields.map((field, index) => [field, row[index]]));
    const action: Tagged = { type: group.action, ...values };
    const cautions = group.cautions[index];
    this.all.push(action);
    if (!this.byType.has(group.action)) this.byType.set(group.action, []);
    this.of(group.action).push(action);
    if (cautions) this.warned.set(keyOf(action), cautions);
  }
}

export const NOTHING = new LegalActions([]);
