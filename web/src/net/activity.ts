/** Activity heartbeat: tells the server now and then that a person is still touching, typing or reading. */
const OFTEN = 15_000; // ms between two heartbeats
const READING = 30_000; // ms between two heartbeats of a reader
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

export interface Signs {
  give: () => void;
  waited: () => boolean; // a player is waiting, so the next heartbeat is sent at once
  reading: () => boolean; // a page is open that is read without input
}

/** Send heartbeats on input until the returned function is called. */
export function sendHeartbeats({ give, waited, reading }: Signs): () => void {
  let last = -Infinity;
  function sign(): void {
    const now = performance.now();
    if (now - last < OFTEN && !waited()) return;
    last = now;
    give();
  }
  const timer = setInterval(() => document.visibilityState === 'visible' && reading() && sign(), READING);
  for (const kind of SIGNS) addEventListener(kind, sign, { passive: true, capture: true });
  return () => {
    clearInterval(timer);
    for (const kind of SIGNS) removeEventListener(kind, sign, { capture: true });
  };
}
