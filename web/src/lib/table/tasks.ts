/** Let the browser draw and hear before the rest is done: what one task does all at once, the page stands still for. */
export async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
