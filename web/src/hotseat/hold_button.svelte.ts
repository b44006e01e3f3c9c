/** A press-and-hold button; releasing early cancels. A double press works for people who cannot hold. */
export const HOLD = 800; // ms
export const AGAIN = 4_000; // ms for the second press

export class HoldButton {
  share = $state(0); // progress, from 0 to 1
  pressed = $state(false); // pressed once; a second press opens
  private began: number | null = null;
  private frame = 0;
  private late: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly done: () => void) {}

  get holding(): boolean {
    return this.share > 0;
  }

  start(): void {
    if (this.began !== null) return;
    this.began = performance.now();
    this.frame = requestAnimationFrame(() => this.fill());
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    [this.began, this.share] = [null, 0];
  }

  press(): void {
    clearTimeout(this.late);
    if (this.pressed) this.done();
    else this.late = setTimeout(() => (this.pressed = false), AGAIN);
    this.pressed = !this.pressed;
  }

  end(): void {
    this.stop();
    clearTimeout(this.late);
  }

  private fill(): void {
    if (this.began === null) return;
    this.share = Math.min(1, (performance.now() - this.began) / HOLD);
    if (this.share === 1) {
      this.began = null;
      this.done();
    } else this.frame = requestAnimationFrame(() => this.fill());
  }
}
