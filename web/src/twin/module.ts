/** A game's twin in WebAssembly: the compiled loops of `jamboree.fast`, on arrays in the module's memory. */

/** Types of elements, as numpy names them; integers have 8 or 2 bytes. */
export type Kind = 'i8' | 'i2' | 'f8' | 'b1';
type Elements = BigInt64Array | Int16Array | Float64Array | Uint8Array;
type Parameter = { kind: Kind; rank: number };
type Loop = (...values: (number | bigint)[]) => number;

/** What the module says of itself in its custom section. */
export interface Description {
  game: string;
  fingerprint: string;
  sizes: Record<'MASKS' | 'SMALLS' | 'OBSERVED' | 'SCRATCH' | 'CHANCE', number>;
  /** Sizes of the arrays of a search, and where its progress says that it is over. */
  search: Record<'PROGRESS' | 'OVER' | 'WORLDS' | 'PRODUCTS' | 'BY_SEAT', number>;
  /** Signatures in numba's notation. */
  loops: Record<string, string>;
}

const SECTION = 'twin'; // as in fast/wasm.py
const VIEWS = { i8: BigInt64Array, i2: Int16Array, f8: Float64Array, b1: Uint8Array };
const ALIGNMENT = 64;
const PAGE = 65_536;
const RESULT = 8; // bytes for a loop's return value, and as many for a pointer to its error

/** An array in row-major order in a module's memory. */
export class TwinArray {
  constructor(
    private readonly memory: WebAssembly.Memory,
    readonly kind: Kind,
    readonly shape: readonly number[],
    readonly address: number,
  ) {}

  get length(): number {
    return this.shape.reduce((product, size) => product * size, 1);
  }

  /** The elements. Views are valid until memory grows, so hold none across allocations. */
  get values(): Elements {
    return new VIEWS[this.kind](this.memory.buffer, this.address, this.length);
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer, this.address, this.size);
  }

  /** In bytes. */
  get size(): number {
    return this.length * this.itemSize;
  }

  /** The arguments by which numba passes an array: two pointers for counting references, sizes, data, shape, strides. */
  get passed(): (number | bigint)[] {
    const strides = this.shape.map((_, axis) => this.shape.slice(axis + 1).reduce((a, b) => a * b, this.itemSize));
    const numbers = [this.length, this.itemSize].map(BigInt);
    return [0, 0, ...numbers, this.address, ...this.shape.map(BigInt), ...strides.map(BigInt)];
  }

  private get itemSize(): number {
    return VIEWS[this.kind].BYTES_PER_ELEMENT;
  }
}

export class TwinModule {
  private readonly memory: WebAssembly.Memory;
  private readonly signatures: Record<string, Parameter[]> = {};
  private top: number;

  private constructor(
    private readonly exports: WebAssembly.Exports,
    readonly description: Description,
  ) {
    this.memory = exports.memory as WebAssembly.Memory;
    this.top = Number((exports.__heap_base as WebAssembly.Global).value);
    for (const [name, signature] of Object.entries(description.loops)) this.signatures[name] = parameters(signature);
  }

  static async instantiate(code: BufferSource): Promise<TwinModule> {
    const module = await WebAssembly.compile(code);
    const [section] = WebAssembly.Module.customSections(module, SECTION);
    if (!section) throw new Error('This WebAssembly module is not a twin.');
    const description = JSON.parse(new TextDecoder().decode(section)) as Description;
    return new TwinModule((await WebAssembly.instantiate(module)).exports, description);
  }

  /** Allocate an array of zeros, or with the bytes given. */
  array(kind: Kind, shape: readonly number[], bytes?: Uint8Array): TwinArray {
    const array = new TwinArray(this.memory, kind, shape, align(this.top));
    this.reserve(array.address + array.size);
    array.bytes.fill(0);
    if (bytes) array.bytes.set(bytes);
    return array;
  }

  /** Run something, then free every array that it allocated. */
  scope<Value>(run: () => Value): Value {
    const before = this.top;
    try {
      return run();
    } finally {
      this.top = before;
    }
  }

  /** Call a loop. Numbers of the type `i8` are passed as BigInt, so a call should do much work. */
  call(name: string, ...values: (TwinArray | number)[]): number {
    const wanted = this.signatures[name];
    if (!wanted) throw new Error(`The twin of ${this.description.game} has no loop ${name}.`);
    if (values.length !== wanted.length) throw new Error(`${name} takes ${wanted.length} arguments.`);
    return this.scope(() => {
      const result = this.array('i8', [2]);
      const passed = values.flatMap((value, at) =>
        argument(value, wanted[at] as Parameter, `${name}, argument ${at + 1}`),
      );
      const status = (this.exports[name] as Loop)(result.address, result.address + RESULT, ...passed);
      if (status) throw new Error(`${name} failed with status ${status}.`);
      return Number(result.values[0]);
    });
  }

  private reserve(top: number): void {
    const missing = top - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.top = top;
  }
}

/** Read numba's notation, such as `void(i8[:,::1],i8[::1],f8)`. */
export function parameters(signature: string): Parameter[] {
  const list = signature.slice(signature.indexOf('(') + 1, -1);
  return [...list.matchAll(/(i8|i2|f8|b1)(?:\[([:,1]+)\])?/g)].map(([, kind, axes]) => ({
    kind: kind as Kind,
    rank: axes ? axes.split(',').length : 0,
  }));
}

function argument(value: TwinArray | number, wanted: Parameter, what: string): (number | bigint)[] {
  if (typeof value === 'number') {
    if (wanted.rank) throw new Error(`${what} must be an array.`);
    return [wanted.kind === 'i8' ? BigInt(value) : value];
  }
  if (value.kind !== wanted.kind || value.shape.length !== wanted.rank)
    throw new Error(`${what} must be an array of ${wanted.kind} with ${wanted.rank} axes.`);
  return value.passed;
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
