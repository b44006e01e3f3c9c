/** Delta decoding of positions, as docs/protocol.md describes it; the same for every game. */
import type { Change, ChangedParts } from '$types/wire';

export type { Change };
type Json = unknown;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Apply a delta without changing the position before; null if the checksum does not match. */
export function applyDelta<T>(before: T, change: Change, check: string): T | null {
  try {
    const after = patch(before, change) as T;
    return checksumOf(after) === check ? after : null;
  } catch {
    return null;
  }
}

export function patch(before: Json, change: Change): Json {
  if (!Array.isArray(change)) return patchParts(before as Record<string, Json>, change);
  if (change.length === 1) return change[0];
  const [at, gone, added] = change;
  const array = before as Json[];
  return [...array.slice(0, at), ...added, ...array.slice(at + gone)];
}

function patchParts(before: Record<string, Json>, changes: ChangedParts): Json {
  const after = (Array.isArray(before) ? [...before] : { ...before }) as Record<string, Json>;
  for (const [name, change] of Object.entries(changes)) {
    if (Array.isArray(change) && change.length === 0) delete after[name];
    else after[name] = patch(after[name], change);
  }
  return after;
}

/** CRC-32 of a position's canonical JSON, which JSON.stringify produces, as eight hexadecimal digits. */
export function checksumOf(position: Json): string {
  let value = 0xffffffff;
  for (const byte of new TextEncoder().encode(JSON.stringify(position))) {
    value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff]!;
  }
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
