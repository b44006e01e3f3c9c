/** Text of the dimmed overlay for screen readers. */
const PRESSED = 'button[data-at], [data-at][tabindex], [data-at][role="button"]';

/** Describe every dimmed control as such for screen readers; none if `places` is null. */
export function describeDimmed(root: ParentNode, places: readonly string[] | null, words: string): void {
  for (const place of root.querySelectorAll<HTMLElement | SVGElement>(PRESSED)) {
    if (places && !isLit(place, places)) place.setAttribute('aria-description', words);
    else if (place.getAttribute('aria-description') === words) place.removeAttribute('aria-description');
  }
}

/** Whether an element, or a group that it belongs to, is among the places. */
function isLit(element: HTMLElement | SVGElement, places: readonly string[]): boolean {
  const names = [element.dataset.at, element.dataset.lit];
  if (names.some((name) => name && places.includes(name))) return true;
  const group = element.parentElement?.closest<HTMLElement>('[data-lit]');
  return !!group && isLit(group, places);
}
