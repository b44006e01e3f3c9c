/** Yields to the browser between tasks, so that long work does not block the page. */
export async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

let last = Promise.resolve();

/** Wait for a new task; simultaneous callers get separate tasks, in order. */
export function newTask(): Promise<void> {
  last = last.then(nextTask);
  return last;
}
