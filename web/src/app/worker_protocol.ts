/** Names shared by the page and its service worker. */
export const BUILD_CACHE_PREFIX = 'jamboree-client-'; // the files of a build, and its name behind it
export const TEXT_CACHE_PREFIX = 'jamboree-texts-'; // rules and lessons as that build has last read them
export const REPLAY_CACHE = 'jamboree-kept'; // replays that somebody keeps on this device
export const CACHED_HEADER = 'x-jamboree-kept'; // the header of an answer that did not come from the server

/** What a page tells the worker. */
export interface PageMessage {
  type: 'take-over';
  build: string; // of that page
}

/** What a notification has with it: where a tap leads to. */
export interface Leading {
  to: string;
}
