/** Activity heartbeat: tells the server now and then that a person is still touching, typing or reading. */
const OFTEN = 15_000; // ms between two signs
const READING = 30_000; // ms between two signs of a reader
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

export interface Signs {
  give: () => void;
  waited: () => boolean; // somebody waits for a sign, so the next one does not wait
  reading: () => boolean; // a page is open that is read without a touch
}

/** Watch for signs of life until told to stop. */
export function watchSigns({ give, waited, reading }: Signs): () => void {
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
