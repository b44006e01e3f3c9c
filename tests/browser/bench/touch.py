"""Touch targets: large enough, and not overlapping."""

from playwright.sync_api import Page

FINGER = 40  # px
TOUCHED = "main button:not([aria-disabled=true], :disabled)"
SMALL = """([touched, finger]) => [...document.querySelectorAll(touched)].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.checkVisibility() && (width < finger || height < finger);
}).map((one) => one.outerHTML.slice(0, 160))"""
OVERLAPPING = """(touched) => {
  const seen = [...document.querySelectorAll(touched)].filter((one) => one.checkVisibility());
  const boxes = seen.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const name = (at) => seen[at].ariaLabel ?? seen[at].textContent.trim();
  return boxes.flatMap((box, at) => boxes.slice(0, at).flatMap((other, to) =>
    meet(box, other) ? [`${name(at)} on ${name(to)}`] : []));
}"""


def small(page: Page) -> list[str]:
    """List touch targets that are smaller than a finger."""
    found: list[str] = page.evaluate(SMALL, [TOUCHED, FINGER])
    return found


def overlapping(page: Page) -> list[str]:
    """List touch targets that overlap another one."""
    found: list[str] = page.evaluate(OVERLAPPING, TOUCHED)
    return found
