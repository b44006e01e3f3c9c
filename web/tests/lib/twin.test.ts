import { describe, expect, it } from 'vitest';
import { parameters, TwinArray, TwinModule } from '../../src/twin/module';

describe('signatures in the notation of numba', () => {
  it('are read with the types and axes of all parameters', () => {
    expect(parameters('void(i8[:,::1],i2[::1],f8[:,:,::1],b1[::1],i8)')).toEqual([
      { kind: 'i8', rank: 2 },
      { kind: 'i2', rank: 1 },
      { kind: 'f8', rank: 3 },
      { kind: 'b1', rank: 1 },
      { kind: 'i8', rank: 0 },
    ]);
  });
});

describe('an array', () => {
  it('is passed with its length, size of items, address, shape and strides', () => {
    const array = new TwinArray(new WebAssembly.Memory({ initial: 1 }), 'i2', [3, 4], 128);
    expect(array.passed).toEqual([0, 0, 12n, 2n, 128, 3n, 4n, 8n, 2n]);
    expect(array.size).toBe(24);
  });

  it('still has its elements after memory has grown', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const array = new TwinArray(memory, 'i8', [2], 64);
    array.values[1] = 7n;
    memory.grow(1);
    expect([...array.values]).toEqual([0n, 7n]);
  });
});

it('a module that does not describe itself is refused', async () => {
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  await expect(TwinModule.instantiate(empty)).rejects.toThrow('not a twin');
});
