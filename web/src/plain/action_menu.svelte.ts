/** The two-level menu of actions, including those that are no longer legal. */
import { keyOf } from '$lib/actions';
import type { TableModel, Tagged } from '$lib/contract';

const FEW = 9; // choices that are listed one by one, without groups, as in the terminal
const REMEMBERED = 40; // illegal moves of a kind, whose reason can be requested

export interface Choice {
  title: string;
  target: string;
  action: Tagged;
}

export interface Group {
  title: string;
  choices: Choice[];
}

export class ActionMenuModel {
  opened = $state(''); // the group whose targets are listed
  private readonly everOffered = new Map<string, Choice>(); // every move offered so far

  constructor(private readonly table: TableModel) {}

  readonly groups = $derived.by<Group[]>(() => {
    const { legal, painting } = this.table;
    if (!legal.length) return [];
    return (painting?.menu ?? []).map(({ title, targets, indices }) => ({
      title,
      choices: targets.map((target, at) => ({ title, target, action: legal[indices[at]!]! })),
    }));
  });
  readonly all = $derived.by(() => this.groups.flatMap(({ choices }) => choices));
  readonly few = $derived.by(() => this.all.length <= FEW);
  readonly open = $derived.by(() => this.groups.find(({ title }) => title === this.opened) ?? null);

  /** Moves that were legal before and are not now; of one kind if a group is open. */
  readonly missing = $derived.by<Choice[]>(() => {
    const now = new Set(this.all.map(({ action }) => keyOf(action)));
    for (const choice of this.all) this.everOffered.set(keyOf(choice.action), choice);
    const gone = [...this.everOffered].filter(([key]) => this.all.length && !now.has(key)).map(([, choice]) => choice);
    return gone.filter(({ title }) => !this.open || title === this.open.title).slice(0, REMEMBERED);
  });

  /** Label of a move. */
  name(action: Tagged | null): string {
    const found = action && [...this.all, ...this.missing].find((choice) => keyOf(choice.action) === keyOf(action));
    return found ? label(found) : '';
  }
}

export function label({ title, target }: Choice): string {
  return target ? `${title} ${target}` : title;
}
