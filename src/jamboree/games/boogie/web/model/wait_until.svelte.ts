/** Waits until a reactive condition holds. */
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
