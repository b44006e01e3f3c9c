"""Checks of every screen: accessible by axe's rules, and no overflow."""

from collections.abc import Iterable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

OVERHANG = """() => [...document.querySelectorAll('main *')].filter((element) => {
  const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!text || element.closest('.visually-hidden, [aria-hidden=true], svg') || !element.checkVisibility()) return false;
  const { overflowX, textOverflow } = getComputedStyle(element);
  if (element.clientWidth <= 1) return false; // for screen readers only
  const cuts = overflowX !== 'visible' && textOverflow !== 'ellipsis';
  return cuts && element.scrollWidth > element.clientWidth + 1;
}).map((element) => element.outerHTML.slice(0, 200))"""

UNREADABLE = """(least) => [...document.querySelectorAll('main *')].flatMap((element) => {
  const text = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.textContent.trim() : '')).join('');
  if (!text || element.closest('svg[aria-hidden=true], .visually-hidden') || !element.checkVisibility()) return [];
  const { width, height } = element.getBoundingClientRect();
  if (width <= 2 || height <= 2) return []; // for screen readers only
  const drawn = element instanceof SVGElement;
  const larger = drawn ? element.getScreenCTM().a : element.currentCSSZoom;
  const size = parseFloat(getComputedStyle(element).fontSize) * larger;
  return size < least ? [`${size.toFixed(1)} px: ${text}`] : [];
})"""

OVERLAPS = """() => {
  const texts = [...document.querySelectorAll('main *')].filter((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || element.closest('.visually-hidden, svg, [aria-hidden=true]')) return false;
    return element.checkVisibility() && element.getBoundingClientRect().width > 2; // not for screen readers only
  });
  const boxes = texts.map((element) => [element, element.getBoundingClientRect(), element.textContent.trim()]);
  return boxes.flatMap(([one, a, text], at) => {
    const outside = a.left < 0 || a.top < 0 || a.right > innerWidth + 1 || a.bottom > innerHeight + 1;
    const over = boxes.slice(at + 1).filter(([other, b]) => {
      if (one.contains(other) || other.contains(one)) return false;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      return width > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    });
    return [...(outside ? [`${text} leaves the screen`] : []), ...over.map((box) => `${text} over ${box[2]}`)];
  });
}"""

LAID_OUT = """async () => {
  for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
}"""  # until size observers have run, and their changes are laid out


def violations(page: Page) -> list[Any]:
    """List the violations that axe finds on a page."""
    found = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in found]


def scrolls(page: Page) -> bool:
    """Return whether a page is larger than its window."""
    size = "[document.scrollingElement.scrollWidth - innerWidth, document.scrollingElement.scrollHeight - innerHeight]"
    return any(more > 0 for more in page.evaluate(size))


def clipped(page: Page) -> list[str]:
    """List elements whose text does not fit."""
    found: list[str] = page.evaluate(OVERHANG)
    return found


def unreadable(page: Page, least: float = 29.5) -> list[str]:
    """List texts that are drawn smaller than `least` px, which cannot be read from across a room."""
    found: list[str] = page.evaluate(UNREADABLE, least)
    return found


def overlapping(page: Page) -> list[str]:
    """List texts that overlap each other or leave the screen."""
    found: list[str] = page.evaluate(OVERLAPS)
    return found


def misfits(page: Page, sizes: Iterable[ViewportSize]) -> dict[str, list[str]]:
    """By size of the window: the elements of a page that do not fit."""
    found = {}
    for size in sizes:
        page.set_viewport_size(size)
        page.evaluate(LAID_OUT)
        found[f"{size['width']} × {size['height']}"] = clipped(page) + ["the page"] * scrolls(page)
    return {name: things for name, things in found.items() if things}
