/** Replays stored on this device, to watch offline. */
import { hasStrings, isStringList, store, recallList } from '$lib/storage';
import { apiUrl, type Query, type Url } from '$lib/urls';
import type { Eyes } from '../net/api';
import { REPLAY_CACHE } from './worker_protocol';

const LIST = 'jamboree.kept';
const MOST = 20;

export interface KeptReplay {
  code: string;
  game: string;
  names: string[];
  me?: number | null; // my seat
  touched?: number; // when it was played, in Unix seconds
  scores?: number[]; // by seat
}

class OfflineReplays {
  all = $state.raw<KeptReplay[]>(read());

  has(code: string): boolean {
    return this.all.some((one) => one.code === code);
  }

  /** Store all responses of a replay, evicting the oldest one; a failure leaves nothing behind. */
  async keep(replay: KeptReplay, plain: boolean): Promise<void> {
    const cache = await caches.open(REPLAY_CACHE);
    try {
      await cache.addAll(parts(replay.code, replay.names.length, plain));
    } catch (error) {
      await this.drop(replay.code);
      throw error;
    }
    for (const old of this.all.slice(MOST - 1)) await this.drop(old.code);
    this.note([replay, ...this.all.filter(({ code }) => code !== replay.code)]);
  }

  async drop(code: string): Promise<void> {
    const cache = await caches.open(REPLAY_CACHE);
    const old = (await cache.keys()).filter(({ url }) => isPart(code, new URL(url).pathname));
    await Promise.all(old.map((part) => cache.delete(part, { ignoreVary: true })));
    this.note(this.all.filter((one) => one.code !== code));
  }

  private note(all: KeptReplay[]): void {
    this.all = all;
    store(LIST, all);
  }
}

/** Caches exist only in secure contexts. */
export const canKeep = 'caches' in globalThis && 'serviceWorker' in navigator;

const isPart = (code: string, path: string): boolean => {
  const table = apiUrl(['tables', code]);
  return path === table || path.startsWith(`${table}/`);
};

/** The requests of a replay page, in both languages, revealed and as each seat. */
function parts(code: string, seats: number, plain: boolean): Url[] {
  const perLanguage = plain ? ['log', 'paintings'] : ['log'];
  const languages = perLanguage.flatMap((what): [string, Query][] =>
    ['en', 'nl'].map((language) => [what, { language }]),
  );
  const requests: [string, Query][] = [['replay', { changes: true }], ...languages];
  const eyes: Eyes[] = [null, ...Array.from({ length: seats }, (_, seat) => seat)];
  const views = requests.flatMap(([what, query]) =>
    eyes.map((seat) => apiUrl(['tables', code, what], { ...query, seat })),
  );
  return [apiUrl(['tables', code]), ...views];
}

function read(): KeptReplay[] {
  return recallList(LIST, hasStrings<KeptReplay>('code', 'game')).filter(
    ({ names, touched = 0, scores = [] }) =>
      isStringList(names) && Number.isFinite(touched) && Array.isArray(scores) && scores.every(Number.isFinite),
  );
}

export const offlineReplays = new OfflineReplays();
