/** The page as an installable app: service worker, manifest in the reader's language, update notice. */
import { words, type Language } from '$lib/i18n.svelte';
import { fileUrl, underPath } from '$lib/urls';
import { alone } from '../page/page_server.svelte';
import type { PageMessage } from './worker_protocol';
import { keepTexts } from './text_prefetch';
import { version } from './version.svelte';

const AFTER = 6_000; // ms after which the first page has loaded

/** Whether this origin supports a service worker: HTTPS or localhost, and no proxy path. */
const canKeep = (): boolean => !!version.own && (alone || !underPath) && 'serviceWorker' in navigator;

export function registerServiceWorker(): void {
  if (canKeep()) setTimeout(() => void register(), AFTER);
  addEventListener('hashchange', () => version.reload());
  addEventListener('vite:preloadError', () => void version.catchUp());
  document.addEventListener('visibilitychange', () => document.hidden || void version.check());
}

export function setManifest(language: Language): void {
  void keepTexts(language);
  document.querySelector('link[rel=manifest]')?.setAttribute('href', fileUrl(`manifest.${language}.webmanifest`));
}

async function register(): Promise<void> {
  try {
    navigator.serviceWorker.addEventListener('controllerchange', () => void keepTexts(words.language));
    const registration = await navigator.serviceWorker.register(fileUrl('worker.js'), { updateViaCache: 'none' });
    registration.addEventListener('updatefound', () => handOver(registration.installing));
    handOver(registration.installing);
    handOver(registration.waiting);
    if (registration.active) await registration.update(); // registering again does not check for updates
    await keepTexts(words.language);
  } catch {
    // Without a worker everything works while the server is reachable.
  }
}

/** Let a waiting worker take over if it has the build of this page. */
function handOver(worker: ServiceWorker | null): void {
  const message: PageMessage = { type: 'take-over', build: version.own };
  const notify = (): void => void (worker?.state === 'installed' && worker.postMessage(message));
  worker?.addEventListener('statechange', notify);
  notify();
}
