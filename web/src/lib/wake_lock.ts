/** Screen wake lock during real-time games, and vibration at the start of a phase. */

/** Keep the screen on until the returned function is called; `refused` is called if that is impossible. */
export function keepAwake(refused: () => void = () => undefined): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function hold(): Promise<void> {
    if (over || document.hidden) return;
    if (!('wakeLock' in navigator)) return refused();
    try {
      lock = await navigator.wakeLock.request('screen');
      if (over) await lock.release();
    } catch {
      refused(); // refused in power-saving mode
    }
  }

  const again = (): void => void hold(); // hiding the page releases it
  document.addEventListener('visibilitychange', again);
  void hold();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', again);
    void lock?.release();
  };
}

/** Vibrate; most browsers allow it only after a touch. */
export function vibrate(pattern: number[]): void {
  if ('vibrate' in navigator) navigator.vibrate(pattern);
}
