/** The action a player is considering (hovered, focused or picked), and a preview of its consequences. */
import { keyOf, same } from '../actions';
import type { Preview, Tagged } from '../contract';

const PREVIEW_DELAY = 70; // ms an action is considered before its preview is requested

export class ConsideredAction {
  intent = $state.raw<Tagged | null>(null);
  picked = $state.raw<Tagged | null>(null); // waits for the confirm button
  intentPreview = $state.raw<Preview<unknown> | null>(null);
  private readonly previews = new Map<string, Preview<unknown>>();
  private previewedPosition: unknown = null; // the position the previews belong to
  private delay: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (action: Tagged) => Promise<Preview<unknown> | null>,
    private readonly position: () => unknown,
  ) {}

  /** Consider an action; null returns to the picked one. */
  consider(action: Tagged | null): void {
    const next = action ?? this.picked;
    if (same(next, this.intent)) return;
    this.intent = next;
    this.intentPreview = null;
    clearTimeout(this.delay);
    if (next) this.delay = setTimeout(() => void this.showPreview(next), PREVIEW_DELAY);
  }

  pick(action: Tagged): void {
    this.picked = action;
    this.consider(action);
  }

  drop(): void {
    this.picked = null;
    this.consider(null);
  }

  /** The certain consequences of an action in the current position; cached. */
  async preview(action: Tagged): Promise<Preview<unknown> | null> {
    if (this.previewedPosition !== this.position()) this.previews.clear();
    this.previewedPosition = this.position();
    const known = this.previews.get(keyOf(action));
    if (known) return known;
    const preview = await this.ask(action);
    if (preview && this.previewedPosition === this.position()) this.previews.set(keyOf(action), preview);
    return preview;
  }

  private async showPreview(action: Tagged): Promise<void> {
    const preview = await this.preview(action);
    if (same(action, this.intent)) this.intentPreview = preview;
  }
}
