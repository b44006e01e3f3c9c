/** Shows as many items of a list as fit; the last one says how many more there are. */
import type { Attachment } from 'svelte/attachments';

const SLACK = 0.5; // px of rounding tolerance
const COUNTER = 30; // px for the counter item

/** Hide the items that overflow, and one more if the counter needs space; repeated when the content changes. */
export function fitting(_words: string, count: number, say: (hidden: number) => void): Attachment<HTMLElement> {
  return (list) => {
    const watch = new ResizeObserver(() => say(hideWhatIsOutside(list, count)));
    watch.observe(list); // ResizeObserver also reports the initial size
    return () => watch.disconnect();
  };
}

function hideWhatIsOutside(list: HTMLElement, count: number): number {
  const items = ([...list.children] as HTMLElement[]).slice(0, count);
  for (const item of items) hide(item, false);
  const { top, right, bottom } = list.getBoundingClientRect();
  const isOutside = (item: HTMLElement): boolean => {
    const place = item.getBoundingClientRect();
    return place.top < top - SLACK || place.bottom > bottom + SLACK || place.right > right + SLACK;
  };
  const first = items.findIndex(isOutside);
  const last = items[first - 1]?.getBoundingClientRect().right ?? right;
  const shown = first < 0 ? count : Math.max(0, last + COUNTER > right ? first - 1 : first);
  items.forEach((item, index) => hide(item, index >= shown));
  return count - shown;
}

/** Write only changes, because every write forces a layout. */
function hide(item: HTMLElement, hidden: boolean): void {
  if (item.hidden !== hidden) item.hidden = hidden;
}
