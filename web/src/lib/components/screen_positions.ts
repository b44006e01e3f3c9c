/**
 * Screen positions of a table's places, by the names that a table UI gives them in `data-at` or `data-lit`.
 * `data-edge` is the distance in pixels of an outline to its place, where neighbours are close.
 */
export interface Hole {
  name: string;
  path: string; // in pixels of the window
  box: DOMRect;
}

const EDGE = 5; // pixels around a place by default
const STEPS = 60; // sample points along an outline, fine enough for a hex's corners

export function outlinesOf(root: ParentNode, names: readonly string[]): Hole[] {
  return names.flatMap((name) => {
    const at = CSS.escape(name);
    const element = [...root.querySelectorAll<Element>(`[data-at="${at}"], [data-lit="${at}"]`)].find(isSeen);
    return element ? [{ name, path: outline(element), box: element.getBoundingClientRect() }] : [];
  });
}

function isSeen(element: Element): boolean {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

/** The outline of an SVG shape, for example a hex; otherwise a rounded rectangle. */
function outline(element: Element): string {
  const drawn = element instanceof SVGElement ? element.querySelector('path') : null;
  const matrix = drawn?.getScreenCTM();
  if (!drawn || !matrix) return rounded(element);
  const length = drawn.getTotalLength();
  const points = Array.from({ length: STEPS }, (_, at) =>
    drawn.getPointAtLength((at / STEPS) * length).matrixTransform(matrix),
  );
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

function rounded(element: Element): string {
  const { left, top, width, height } = element.getBoundingClientRect();
  const edge = Number(element.getAttribute('data-edge') ?? EDGE);
  const [x, y, w, h] = [left - edge, top - edge, width + 2 * edge, height + 2 * edge];
  const r = Math.min(12, w / 2, h / 2);
  const arc = (dx: number, dy: number): string => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `M${x + r} ${y}h${w - 2 * r}${arc(r, r)}v${h - 2 * r}${arc(-r, r)}h${2 * r - w}${arc(-r, -r)}v${2 * r - h}${arc(r, -r)}Z`;
}

/** Boxes of the text lines within some elements. */
export function textBoxes(elements: Iterable<Element>): DOMRect[] {
  return [...elements].flatMap((element) => {
    const [found, range] = [[] as DOMRect[], document.createRange()];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (!texts.currentNode.textContent?.trim()) continue;
      range.selectNodeContents(texts.currentNode);
      found.push(...range.getClientRects());
    }
    return found;
  });
}

export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** Area in square pixels of other boxes that a box covers. */
export function coveredArea(box: Box, others: readonly Box[]): number {
  return others.reduce((sum, other) => {
    const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    return sum + Math.max(0, across) * Math.max(0, down);
  }, 0);
}

/** Expand a place template with an object's fields: `hex-{hex}`; a field with several values gives several places. */
export function expandPlaces(templates: readonly string[], fields: object): string[] {
  return [...new Set(templates.flatMap((template) => filled(template, fields as Record<string, unknown>)))];
}

function filled(template: string, fields: Record<string, unknown>): string[] {
  const [hole, field] = /\{(\w+)\}/.exec(template) ?? [];
  if (!hole || !field) return [template];
  const value = fields[field];
  const values = Array.isArray(value) ? value.flat() : value == null ? [] : [value];
  return values.flatMap((one) => filled(template.replace(hole, String(one)), fields));
}
