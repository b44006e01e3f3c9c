/** Decompression of packed frames: raw deflate in binary messages, where the browser supports it. */
const FORM = 'deflate-raw'; // some browsers support other formats only
export const canDecompress = unpacks();

function unpacks(): boolean {
  try {
    return !!new DecompressionStream(FORM);
  } catch {
    return false;
  }
}

/** Deliver frames as text in order; frames that follow a compressed one wait for it. */
export function decodeInOrder(hear: (text: string) => void): (data: string | ArrayBuffer) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (data) => {
    if (typeof data === 'string' && !waiting) return hear(data);
    waiting++;
    last = last.then(async () => {
      try {
        hear(typeof data === 'string' ? data : await unpacked(data));
      } catch (error) {
        reportError(error); // later frames are delivered all the same
      } finally {
        waiting--;
      }
    });
  };
}

async function unpacked(data: ArrayBuffer): Promise<string> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream(FORM));
  return new Response(stream).text();
}
