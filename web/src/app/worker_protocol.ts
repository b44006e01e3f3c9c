/** Names shared by the page and its service worker. */
export const BUILD_CACHE_PREFIX = 'jamboree-client-'; // prefix of a build's cache
export const TEXT_CACHE_PREFIX = 'jamboree-texts-'; // prefix of the text cache
export const REPLAY_CACHE = 'jamboree-kept'; // cache of stored replays
export const CACHED_HEADER = 'x-jamboree-kept'; // header of a cached response

/** A message from a page to the worker. */
export interface PageMessage {
  type: 'take-over';
  build: string; // build of the page
}

/** Data of a notification: the address to open. */
export interface Leading {
  to: string;
}
