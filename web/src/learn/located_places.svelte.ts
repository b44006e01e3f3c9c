/** Keeps track of where places of a table are on the screen while boards zoom and hands move. */
import { outlinesOf, type Hole } from '$lib/components/screen_positions';

const INTERVAL = 250; // ms between measurements

export class LocatedPlaces {
  places = $state.raw<Hole[]>([]);

  /** Measure while the component that creates this is mounted. */
  constructor(root: () => HTMLElement | null, names: (root: HTMLElement) => readonly string[]) {
    $effect(() => {
      const update = (): void => this.locate(root(), names);
      update();
      const beat = setInterval(update, INTERVAL);
      return () => clearInterval(beat);
    });
  }

  private locate(root: HTMLElement | null, names: (root: HTMLElement) => readonly string[]): void {
    this.places = root ? outlinesOf(root, names(root)) : [];
  }
}

/** Places of the board named in a text: “c5” is `hex-c5` at one table and `cell-c5` at another. */
export function placesNamedIn(text: string, root: ParentNode): string[] {
  const names = new Set(text.match(/\b[a-z]\d{1,2}\b/g));
  return [...names].flatMap((name) => {
    const place = root.querySelector<HTMLElement>(`.board [data-at$="-${name}"]`);
    return place?.dataset.at ?? [];
  });
}
