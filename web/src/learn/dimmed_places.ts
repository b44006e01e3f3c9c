/** Text of the dimmed overlay for screen readers. */
const PRESSED = 'button[data-at], [data-at][tabindex], [data-at][role="button"]';

/** Describe every dimmed control as such for screen readers; none if `places` is null. */
export function describeDimmed(root: ParentNode, places: readonly string[] | null, words: string): void {
  for (const place of root.querySelectorAll<HTMLElement | SVGElement>(PRESSED)) {
    const veiled = places && ![place.dataset.at, place.dataset.lit].some((name) => name && places.includes(name));
    if (veiled) place.setAttribute('aria-description', words);
    else if (place.getAttribute('aria-description') === words) place.removeAttribute('aria-description');
  }
}
