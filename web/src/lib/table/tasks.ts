/** Yields to the browser between tasks, so that long work does not block the page. */
export async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

let last = Promise.resolve();

/** Wait for a task of one's own: who asks at the same time gets one each, in order. */
export function turn(): Promise<void> {
  last = last.then(nextTask);
  return last;
}
