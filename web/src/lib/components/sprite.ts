/** Inserts an SVG sprite sheet into the page once, for `<use href="#name">`. */
const injected = new Set<string>();

export function injectSprite(sheet: string): void {
  if (injected.has(sheet)) return;
  injected.add(sheet);
  const drawn = new DOMParser().parseFromString(sheet, 'image/svg+xml');
  const holder = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  holder.setAttribute('width', '0');
  holder.setAttribute('height', '0');
  holder.setAttribute('aria-hidden', 'true');
  holder.style.position = 'absolute';
  // Only the definitions; the rest of a sheet is an overview for its authors.
  for (const definitions of drawn.querySelectorAll('defs')) holder.append(withoutKnown(definitions));
  document.body.prepend(holder);
}

/** Skip symbols that another sheet has defined: a poster and a table UI may share figures, and ids are unique. */
function withoutKnown(definitions: Element): Element {
  const copy = document.importNode(definitions, true);
  for (const child of [...copy.children]) if (child.id && document.getElementById(child.id)) child.remove();
  return copy;
}
