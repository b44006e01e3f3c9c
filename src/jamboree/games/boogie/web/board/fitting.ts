/** Show of a list what has room in it; its last item says how many more there are. */
import type { Attachment } from 'svelte/attachments';

const SLACK = 0.5; // px that rounding may add
const COUNTER = 30; // px for the item that counts

/** Hide the items that lie outside, and one more where the one that counts them needs its place. */
export function fitting(count: number, say: (hidden: number) => void): Attachment<HTMLElement> {
  return (list) => {
    const fit = (): void => say(hideWhatIsOutside(list, count));
    const watch = new ResizeObserver(fit);
    watch.observe(list);
    fit();
    return () => watch.disconnect();
  };
}

function hideWhatIsOutside(list: HTMLElement, count: number): number {
  const items = ([...list.children] as HTMLElement[]).slice(0, count);
  for (const item of items) item.hidden = false;
  const { top, right, bottom } = list.getBoundingClientRect();
  const isOutside = (item: HTMLElement): boolean => {
    const place = item.getBoundingClientRect();
    return place.top < top - SLACK || place.bottom > bottom + SLACK || place.right > right + SLACK;
  };
  const first = items.findIndex(isOutside);
  const last = items[first - 1]?.getBoundingClientRect().right ?? right;
  const shown = first < 0 ? count : Math.max(0, last + COUNTER > right ? first - 1 : first);
  items.forEach((item, index) => (item.hidden = index >= shown));
  return count - shown;
}
