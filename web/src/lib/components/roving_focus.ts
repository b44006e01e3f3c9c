/** Roving focus: one tab stop per group; arrow keys move between elements marked `data-stop`, up and down by rows. */
const ASIDE: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
const ROWS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The number of elements in the first row; 1 if they are all in one. */
function columnsOf(stops: readonly HTMLElement[]): number {
  const tops = stops.map((stop) => Math.round(stop.getBoundingClientRect().top));
  const below = tops.findIndex((top) => top > tops[0]!);
  return below > 0 ? below : 1;
}

export function roving(group: HTMLElement): () => void {
  const stops = (): HTMLElement[] => [...group.querySelectorAll<HTMLElement>('[data-stop]')];

  function rest(on: HTMLElement | undefined): void {
    for (const stop of stops()) stop.tabIndex = stop === on ? 0 : -1;
  }
  function focused(event: FocusEvent): void {
    const stop = (event.target as HTMLElement).closest<HTMLElement>('[data-stop]');
    if (stop) rest(stop);
  }
  function move(event: KeyboardEvent): void {
    const all = stops();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const by = ASIDE[event.key] ?? (ROWS[event.key] ?? 0) * columnsOf(all);
    if (at < 0 || (!by && event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : at + by;
    all[(next + all.length) % all.length]?.focus();
  }

  const keep = (): void => {
    const all = stops();
    if (all.filter((stop) => stop.tabIndex === 0).length !== 1) rest(all[0]);
  };
  const watcher = new MutationObserver(keep);
  watcher.observe(group, { childList: true, subtree: true });
  group.addEventListener('focusin', focused);
  group.addEventListener('keydown', move);
  keep();
  return () => {
    watcher.disconnect();
    group.removeEventListener('focusin', focused);
    group.removeEventListener('keydown', move);
  };
}
