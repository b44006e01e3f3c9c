/** Types of ServiceWorkerGlobalScope that the worker uses; the page's DOM types lack them. */
export interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

export interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

export interface Messaged extends Extendable {
  readonly data: unknown;
}

export interface Tapped extends Extendable {
  readonly notification: Pick<Notification, 'close' | 'data'>;
}

export interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

export interface Pages {
  matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>;
  openWindow(url: string): Promise<unknown>;
}

export interface Scope {
  addEventListener(kind: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(kind: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(kind: 'message', listener: (event: Messaged) => void): void;
  addEventListener(kind: 'notificationclick', listener: (event: Tapped) => void): void;
  skipWaiting(): Promise<void>;
  readonly location: Location;
  readonly clients: Pages & { claim(): Promise<void> };
}
