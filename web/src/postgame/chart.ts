/** Line chart of points over time: axis ticks, and end labels that do not overlap. */
export interface Drawn {
  path: string;
  end: number; // y of the line's end
}

export interface Scale {
  x: (step: number) => number;
  y: (points: number) => number;
  steps: number[]; // axis labels
  points: number[];
}

/** Dash pattern of each seat's line, so that colour is not the only cue. */
export const DASHES = ['none', '8 4', '2 4', '12 4 2 4', '4 4', '16 6', '2 8', '8 4 2 4 2 4'];

const ROUND = [1, 2, 5, 10];

/** About `count` round numbers between two values. */
export function ticks(low: number, high: number, about: number): number[] {
  const rough = Math.max(1, (high - low) / about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ROUND.find((times) => times * power >= rough)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

export function scaleOf(history: number[][], width: number, height: number, most = 1): Scale {
  const all = history.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(most, ...all)];
  const last = Math.max(1, history.length - 1);
  return {
    x: (step) => (step / last) * width,
    y: (points) => height - ((points - low) / (high - low)) * height,
    steps: ticks(0, last, width / 90),
    points: ticks(low, high, height / 45),
  };
}

/** A path through points of place and value. */
export const pathOf = (points: [number, number][], { x, y }: Scale): string =>
  `M${points.map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`;

export function lines(history: number[][], scale: Scale): Drawn[] {
  return history[0]!.map((_, seat) => {
    const points = history.map((values, step): [number, number] => [step, values[seat]!]);
    return { path: pathOf(points, scale), end: scale.y(history.at(-1)![seat]!) };
  });
}

/** Move values apart until they differ by a gap, keeping their order and the upper bound. */
export function spread(places: number[], gap: number, end = Infinity): number[] {
  const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]!);
  const moved = [...places];
  order.slice(1).forEach((index, before) => {
    moved[index] = Math.max(moved[index]!, moved[order[before]!]! + gap);
  });
  order.reverse().forEach((index, after) => {
    moved[index] = Math.min(moved[index]!, end - after * gap);
  });
  return moved;
}
