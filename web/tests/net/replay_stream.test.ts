import { describe, expect, test } from 'vitest';
import { ReplayStream, readReplayStream } from '../../src/net/replay_stream';

const VIEWS = [
  { bag: 3, hands: [['é', 'b'], []] },
  { bag: 2, hands: [['é', 'b'], ['c']] },
  { bag: 2, hands: [['b'], ['c']] },
];
const TEXT = `[
${JSON.stringify(VIEWS[0])},
{"bag":[2],"hands":{"1":[["c"]]}},
{"hands":{"0":[0,1,[]]}}
]`;

describe('a replay', () => {
  test('is complete wherever the stream is split', () => {
    for (let cut = 0; cut <= TEXT.length; cut++) {
      const reel = new ReplayStream();
      reel.add(TEXT.slice(0, cut));
      reel.add(TEXT.slice(cut));
      expect(reel.views).toEqual(VIEWS);
    }
  });

  test('can be watched before it is complete', async () => {
    const bytes = new TextEncoder().encode(TEXT);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) => bytes.slice(16 * at, 16 * at + 16));
    const read = () => Promise.resolve({ done: !pieces.length, value: pieces.shift() }); // cut also within letters
    const response = { body: { getReader: () => ({ read }) } } as unknown as Response;
    const seen: number[] = [];
    expect(await readReplayStream(response, (views) => seen.push(views.length))).toEqual(VIEWS);
    expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3]));
  });
});
