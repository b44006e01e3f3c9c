import { deflateRawSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';

test('compressed and plain frames are delivered in order', async () => {
  vi.stubGlobal('Blob', (await import('node:buffer')).Blob);
  const { decodeInOrder } = await import('../../src/net/decompression');
  const received: string[] = [];
  const arrive = decodeInOrder((text) => received.push(text));
  const pack = (text: string): ArrayBuffer => new Uint8Array(deflateRawSync(text)).buffer;
  arrive('one');
  expect(received).toEqual(['one']);
  arrive(pack('two'));
  arrive('three');
  arrive(pack('four'));
  await vi.waitFor(() => expect(received).toEqual(['one', 'two', 'three', 'four']));
  arrive('five');
  expect(received.at(-1)).toBe('five');
});

test('a corrupt frame does not block the others', async () => {
  vi.stubGlobal('Blob', (await import('node:buffer')).Blob);
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { decodeInOrder } = await import('../../src/net/decompression');
  const received: string[] = [];
  const arrive = decodeInOrder((text) => received.push(text));
  arrive(new Uint8Array([0xff, 0xff]).buffer);
  arrive('two');
  await vi.waitFor(() => expect(received).toEqual(['two']));
  expect(reported).toHaveBeenCalledOnce();
  arrive('three');
  expect(received).toEqual(['two', 'three']);
});

test('a browser without raw deflate requests plain frames', async () => {
  vi.resetModules();
  vi.stubGlobal(
    'DecompressionStream',
    class {
      constructor(form: string) {
        if (form === 'deflate-raw') throw new TypeError('unknown');
      }
    },
  );
  expect((await import('../../src/net/decompression')).canDecompress).toBe(false);
});
