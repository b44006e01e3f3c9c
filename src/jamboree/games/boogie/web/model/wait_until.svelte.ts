/** Waits for something reactive to hold. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = $effect.root(() => {
      $effect(() => {
        if (!holds()) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  });
}
