/** Lines of points over time, and signs beside their ends that do not cover each other. */
export interface Drawn {
  path: string;
  end: number; // where the line ends, from above
}

export function lines(history: number[][], width: number, height: number): Drawn[] {
  const all = history.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (step: number): number => (step / (history.length - 1)) * width;
  const y = (points: number): number => height - ((points - low) / (high - low)) * height;
  return history[0]!.map((_, seat) => {
    const path = history.map((points, step) => `${x(step).toFixed(1)} ${y(points[seat]!).toFixed(1)}`).join('L');
    return { path: `M${path}`, end: y(history.at(-1)![seat]!) };
  });
}

/** Move places apart until they are a gap from each other, in their order. */
export function apart(places: number[], gap: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => places[a]! - places[b]!);
  const moved = [...places];
  order.slice(1).forEach((index, before) => {
    moved[index] = Math.max(moved[index]!, moved[order[before]!]! + gap);
  });
  return moved;
}
