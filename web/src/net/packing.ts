/** Frames that come packed, as raw deflate in binary messages, where the browser can unpack them. */
export const canUnpack = typeof DecompressionStream !== 'undefined';

/** Hand on what arrives as text, in the order of arrival: unpacking takes a moment, and what comes after waits for it. */
export function inOrder(hear: (text: string) => void): (data: string | ArrayBuffer) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (data) => {
    if (typeof data === 'string' && !waiting) return hear(data);
    waiting++;
    last = last.then(async () => {
      try {
        hear(typeof data === 'string' ? data : await unpacked(data));
      } finally {
        waiting--;
      }
    });
  };
}

async function unpacked(data: ArrayBuffer): Promise<string> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}
