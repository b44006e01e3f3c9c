/** The action a player is considering, and a preview of its consequences. */
import { keyOf, same } from '../actions';
import type { Preview, Tagged } from '../contract';

const SETTLED = 70; // ms an action must be looked at before its preview is asked for

export class Considering {
  intent = $state.raw<Tagged | null>(null);
  picked = $state.raw<Tagged | null>(null); // waits for the confirm button
  foreseen = $state.raw<Preview<unknown> | null>(null);
  private readonly previews = new Map<string, Preview<unknown>>();
  private previewed: unknown = null; // the position the previews belong to
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (action: Tagged) => Promise<Preview<unknown> | null>,
    private readonly position: () => unknown,
  ) {}

  /** Look at an action; looking at none goes back to the one that is picked. */
  consider(action: Tagged | null): void {
    const next = action ?? this.picked;
    if (same(next, this.intent)) return;
    this.intent = next;
    this.foreseen = null;
    clearTimeout(this.settling);
    if (next) this.settling = setTimeout(() => void this.foresee(next), SETTLED);
  }

  pick(action: Tagged): void {
    this.picked = action;
    this.consider(action);
  }

  drop(): void {
    this.picked = null;
    this.consider(null);
  }

  /** What is certain to follow an action in the present position; asked for once. */
  async preview(action: Tagged): Promise<Preview<unknown> | null> {
    if (this.previewed !== this.position()) this.previews.clear();
    this.previewed = this.position();
    const known = this.previews.get(keyOf(action));
    if (known) return known;
    const preview = await this.ask(action);
    if (preview && this.previewed === this.position()) this.previews.set(keyOf(action), preview);
    return preview;
  }

  private async foresee(action: Tagged): Promise<void> {
    const preview = await this.preview(action);
    if (same(action, this.intent)) this.foreseen = preview;
  }
}
