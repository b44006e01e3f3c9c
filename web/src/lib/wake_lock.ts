/** Screen wake lock during real-time games, and vibration at the start of a phase. */

/** Keep the screen on until the answer is called; where that can't be, it is told. */
export function stayAwake(refused: () => void = () => undefined): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function hold(): Promise<void> {
    if (over || document.hidden) return;
    if (!('wakeLock' in navigator)) return refused();
    try {
      lock = await navigator.wakeLock.request('screen');
      if (over) await lock.release();
    } catch {
      refused(); // a phone that saves its battery says no
    }
  }

  const again = (): void => void hold(); // a page that was hidden has lost it
  document.addEventListener('visibilitychange', again);
  void hold();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', again);
    void lock?.release();
  };
}

/** Let a phone be felt; most browsers allow it only after a first touch. */
export function vibrate(pattern: number[]): void {
  if ('vibrate' in navigator) navigator.vibrate(pattern);
}
