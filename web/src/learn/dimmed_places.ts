/** Text of the dimmed overlay for screen readers. */
const PRESSED = 'button[data-at], [data-at][tabindex], [data-at][role="button"]';

/** Have every place that can be pressed, and is not what a lesson asks for now, say so; none of them if `lit` is null. */
export function describeDimmed(root: ParentNode, places: readonly string[] | null, words: string): void {
  for (const place of root.querySelectorAll<HTMLElement | SVGElement>(PRESSED)) {
    const veiled = places && ![place.dataset.at, place.dataset.lit].some((name) => name && places.includes(name));
    if (veiled) place.setAttribute('aria-description', words);
    else if (place.getAttribute('aria-description') === words) place.removeAttribute('aria-description');
  }
}
