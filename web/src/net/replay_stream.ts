/** Streaming replays: the first view, then one line per step with what changed. */
import { patch, type Change } from './delta';

export class ReplayStream {
  readonly views: unknown[] = [];
  private rest = '';

  /** Add a chunk of the text, split anywhere. */
  add(piece: string): void {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) if (line !== '[') this.step(JSON.parse(line.replace(/,$/, '')));
  }

  private step(step: unknown): void {
    this.views.push(this.views.length ? patch(this.views.at(-1), step as Change) : step);
  }
}

/** Read a replay to its end; the views so far are passed on with every chunk. */
export async function readReplayStream(response: Response, along: (views: unknown[]) => void): Promise<unknown[]> {
  const reel = new ReplayStream();
  const text = new TextDecoder();
  const reader = response.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    reel.add(text.decode(part.value, { stream: true }));
    along([...reel.views]);
  }
  return reel.views;
}
