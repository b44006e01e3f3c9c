/** Verifies every random draw of a game from its seeds, as docs/fairness.md describes. */
interface Pick {
  stream: 'open' | 'hidden';
  n: number;
  index: number;
  value: string;
}

export interface Journal {
  setup: Pick[];
  entries: { picks: Pick[] }[];
  fairness: { since: number; commitment: string; secret: string; seeds: string[] }[];
}

export interface Verdict {
  draws: number;
  wrong: number | null; // the first step whose draws do not follow from the seeds
  bound: boolean; // the seeds match the commitment
}

const RANGE = 2n ** 64n;
const bytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const text = (words: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(words));
const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** SubtleCrypto exists only in secure contexts. */
export const canVerify = (): boolean => !!globalThis.crypto?.subtle;

export async function verify(journal: Journal): Promise<Verdict> {
  const steps = [journal.setup, ...journal.entries.map((entry) => entry.picks)];
  const verdict: Verdict = { draws: 0, wrong: null, bound: journal.fairness[0]?.since === 0 };
  for (const [place, part] of journal.fairness.entries()) {
    const secret = bytes(part.secret);
    const bound = hex(await crypto.subtle.digest('SHA-256', secret)) === part.commitment;
    verdict.bound &&= bound;
    const key = await signer(await (await signer(secret))(part.seeds.join(',')));
    await follow(verdict, key, steps, part.since, journal.fairness[place + 1]?.since ?? steps.length);
  }
  return verdict;
}

type Signer = (words: string) => Promise<ArrayBuffer>;

async function signer(key: BufferSource): Promise<Signer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return (words) => crypto.subtle.sign('HMAC', imported, text(words));
}

async function follow(verdict: Verdict, key: Signer, steps: Pick[][], from: number, to: number): Promise<void> {
  const made = { open: 0, hidden: 0 };
  for (let step = from; step < to; step++)
    for (const pick of steps[step] ?? []) {
      const expected = await drawn(key, pick.stream, made[pick.stream]++, BigInt(pick.n));
      verdict.draws++;
      if (expected !== BigInt(pick.index)) verdict.wrong ??= step;
    }
}

/** Rejection sampling over 64-bit words, which avoids modulo bias. */
async function drawn(key: Signer, stream: string, number: number, n: bigint): Promise<bigint> {
  for (let attempt = 0; ; attempt++) {
    const value = new DataView(await key(`${stream}:${number}:${attempt}`)).getBigUint64(0);
    if (value < RANGE - (RANGE % n)) return value % n;
  }
}
