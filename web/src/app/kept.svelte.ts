/** Replays that somebody keeps on this device, to watch them without the server. */
import { hasTexts, isTexts, keep, recallList } from '$lib/kept/storage';
import { API } from '../net/where';
import { KEPT } from './names';

const LIST = 'jamboree.kept';
const MOST = 20;

export interface KeptReplay {
  code: string;
  game: string;
  names: string[];
}

class Kept {
  all = $state.raw<KeptReplay[]>(read());

  has(code: string): boolean {
    return this.all.some((one) => one.code === code);
  }

  /** Keep all that a replay is made of; the oldest makes room. Whatever fails leaves nothing behind. */
  async keep(replay: KeptReplay, plain: boolean): Promise<void> {
    const cache = await caches.open(KEPT);
    try {
      await cache.addAll(parts(replay.code, plain));
    } catch (error) {
      await this.drop(replay.code);
      throw error;
    }
    for (const old of this.all.slice(MOST - 1)) await this.drop(old.code);
    this.note([replay, ...this.all.filter(({ code }) => code !== replay.code)]);
  }

  async drop(code: string): Promise<void> {
    const cache = await caches.open(KEPT);
    await Promise.all(parts(code, true).map((part) => cache.delete(part, { ignoreVary: true })));
    this.note(this.all.filter((one) => one.code !== code));
  }

  private note(all: KeptReplay[]): void {
    this.all = all;
    keep(LIST, all);
  }
}

/** Only a safe address keeps anything: https, or this very machine. */
export const canKeep = 'caches' in globalThis && 'serviceWorker' in navigator;

/** The requests of a replay's page, in both languages. */
function parts(code: string, plain: boolean): string[] {
  const told = plain ? ['log', 'paintings'] : ['log'];
  const languages = told.flatMap((what) => ['en', 'nl'].map((language) => `/${what}?language=${language}`));
  return ['', '/replay?changes=true', ...languages].map((what) => `${API}/tables/${encodeURIComponent(code)}${what}`);
}

function read(): KeptReplay[] {
  return recallList(LIST, hasTexts<KeptReplay>('code', 'game')).filter(({ names }) => isTexts(names));
}

export const kept = new Kept();
