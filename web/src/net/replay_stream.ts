/** Streaming replays: the first view, then one line per step with what changed. */
import { patch, type Change } from './delta';

export class Reel {
  readonly views: unknown[] = [];
  private rest = '';

  /** Take in a piece of the text, wherever it was cut. */
  add(piece: string): void {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) if (line !== '[') this.step(JSON.parse(line.replace(/,$/, '')));
  }

  private step(step: unknown): void {
    this.views.push(this.views.length ? patch(this.views.at(-1), step as Change) : step);
  }
}

/** Read a replay to its end; what has come so far is handed on with every piece. */
export async function readReplayStream(response: Response, along: (views: unknown[]) => void): Promise<unknown[]> {
  const reel = new Reel();
  const text = new TextDecoder();
  const reader = response.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    reel.add(text.decode(part.value, { stream: true }));
    along([...reel.views]);
  }
  return reel.views;
}
