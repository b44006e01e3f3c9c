/** Figures of the games for the first page. */
import { injectSprite } from '$lib/components/sprite';

export interface Figure {
  symbol: string; // of the game's sheet
  size: number;
}

const CROWDS = import.meta.glob<Figure[]>('../../../src/jamboree/games/*/web/shell/figures.json', {
  import: 'default',
});
const SHEETS = import.meta.glob<string>('../../../src/jamboree/games/*/web/sheet.svg', {
  query: '?raw',
  import: 'default',
});

/** Load the sprite sheets, and interleave the figures. */
export async function gather(): Promise<Figure[]> {
  const groups = Object.entries(CROWDS).map(async ([path, load]) => {
    const sheet = SHEETS[path.replace('shell/figures.json', 'sheet.svg')];
    const [figures, drawings] = await Promise.all([load(), sheet?.()]);
    if (drawings) injectSprite(drawings);
    return figures;
  });
  return interleaved(await Promise.all(groups));
}

/** Spread each group evenly over the row. */
export function interleaved(groups: Figure[][]): Figure[] {
  const placed = groups.flatMap((group) => group.map((figure, at) => ({ figure, at: (at + 0.5) / group.length })));
  return placed.sort((one, other) => one.at - other.at).map(({ figure }) => figure);
}
