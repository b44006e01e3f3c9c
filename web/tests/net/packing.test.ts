import { deflateRawSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';

test('packed and plain frames are heard in the order in which they came', async () => {
  vi.stubGlobal('Blob', (await import('node:buffer')).Blob);
  const { inOrder } = await import('../../src/net/packing');
  const heard: string[] = [];
  const arrive = inOrder((text) => heard.push(text));
  const pack = (text: string): ArrayBuffer => new Uint8Array(deflateRawSync(text)).buffer;
  arrive('one');
  expect(heard).toEqual(['one']);
  arrive(pack('two'));
  arrive('three');
  arrive(pack('four'));
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two', 'three', 'four']));
  arrive('five');
  expect(heard.at(-1)).toBe('five');
});
