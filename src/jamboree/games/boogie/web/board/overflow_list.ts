/** Shows as many items of a list as fit; the last one says how many more there are. */
import type { Attachment } from 'svelte/attachments';

const SLACK = 0.5; // px that rounding may add
const COUNTER = 30; // px for the item that counts

/** Hide the items that lie outside, and one more where the one that counts them needs its place; anew for other words. */
export function fitting(_words: string, count: number, say: (hidden: number) => void): Attachment<HTMLElement> {
  return (list) => {
    const watch = new ResizeObserver(() => say(hideWhatIsOutside(list, count)));
    watch.observe(list); // which also tells the size it has now, once everything is laid out
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

/** What is as it should be is left alone: whatever is written has to be laid out again. */
function hide(item: HTMLElement, hidden: boolean): void {
  if (item.hidden !== hidden) item.hidden = hidden;
}
