/** The service worker: what works offline. The build writes `APP` before it. */
import { CLIENT, TEXTS, type Leading, type Told } from '../worker_protocol';
import { install, tidy } from './build_cache';
import type { Scope } from './scope';
import { answerOf } from './fetch_strategy';
import { show } from './notification_click';

declare const APP: { build: string; files: string[] };

const scope = self as unknown as Scope;

scope.addEventListener('install', (event) => event.waitUntil(install(APP.build, APP.files)));

scope.addEventListener('activate', (event) => {
  event.waitUntil(tidy([CLIENT + APP.build, TEXTS + APP.build]).then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  const answer = answerOf(event.request, APP.build, scope.location.origin);
  if (answer) event.respondWith(answer);
});

scope.addEventListener('message', ({ data }) => {
  const { type, build } = data as Told;
  if (type === 'take-over' && build === APP.build) void scope.skipWaiting();
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(scope.clients, (event.notification.data as Leading).to));
});
