/** Keeps track of where places of a table are on the screen while boards zoom and hands move. */
import { holes, type Hole } from '$lib/components/screen_positions';

const BEAT = 250; // ms between two looks

export class Found {
  places = $state.raw<Hole[]>([]);

  /** Look from within a component, for as long as it is there. */
  constructor(root: () => HTMLElement | null, names: (root: HTMLElement) => readonly string[]) {
    $effect(() => {
      const look = (): void => this.look(root(), names);
      look();
      const beat = setInterval(look, BEAT);
      return () => clearInterval(beat);
    });
  }

  private look(root: HTMLElement | null, names: (root: HTMLElement) => readonly string[]): void {
    this.places = root ? holes(root, names(root)) : [];
  }
}

/** The places of the board that a text calls by name: “c5” is `hex-c5` at one table and `cell-c5` at another. */
export function namedIn(text: string, root: ParentNode): string[] {
  const names = new Set(text.match(/\b[a-z]\d{1,2}\b/g));
  return [...names].flatMap((name) => {
    const place = root.querySelector<HTMLElement>(`.board [data-at$="-${name}"]`);
    return place?.dataset.at ?? [];
  });
}
