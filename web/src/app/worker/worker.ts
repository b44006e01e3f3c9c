/** The service worker: what works offline. The build writes `APP` before it. */
import { BUILD_CACHE_PREFIX, TEXT_CACHE_PREFIX, type Leading, type PageMessage } from '../worker_protocol';
import { install, tidy } from './build_cache';
import type { Scope } from './scope';
import { answerOf } from './fetch_strategy';
import { show } from './notification_click';

declare const APP: { build: string; files: string[] };

const scope = self as unknown as Scope;
const FOLDER = new URL('./', scope.location.href).href; // of the page

scope.addEventListener('install', (event) => event.waitUntil(install(APP.build, APP.files, FOLDER)));

scope.addEventListener('activate', (event) => {
  event.waitUntil(
    tidy([BUILD_CACHE_PREFIX + APP.build, TEXT_CACHE_PREFIX + APP.build]).then(() => scope.clients.claim()),
  );
});

scope.addEventListener('fetch', (event) => {
  const answer = answerOf(event.request, APP.build, FOLDER);
  if (answer) event.respondWith(answer);
});

scope.addEventListener('message', ({ data }) => {
  const { type, build } = data as PageMessage;
  if (type === 'take-over' && build === APP.build) void scope.skipWaiting();
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(scope.clients, (event.notification.data as Leading).to));
});
