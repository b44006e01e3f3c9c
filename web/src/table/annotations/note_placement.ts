/** Placement of a note: near its target, where it covers the least text and controls. */
import { coveredArea, textBoxes, type Box } from '$lib/components/screen_positions';

interface Size {
  wide: number;
  tall: number;
}
interface Spot {
  left: number;
  top: number;
}

const GAP = 14; // px between a place and the note
const EDGE = 8; // px to the edge of the window
const STEP = 20; // px between candidate positions
const HELD = 6; // weight of covering the prompt or the hand
const AWAY = 40; // px² of covered text worth one px of distance

/** Elements to keep visible: text and controls. */
export function readable(root: Element): Box[] {
  const own = (element: Element): boolean => !element.closest('.beside, .backdrop, .visually-hidden');
  const parts = [...root.children].filter(own);
  const pressed = [...root.querySelectorAll('button, a, input')].filter(own);
  return [...textBoxes(parts), ...pressed.map((element) => element.getBoundingClientRect())];
}

/** Elements that must stay visible: the prompt and selectable pieces. */
export function choices(root: Element): Box[] {
  return [...root.querySelectorAll('.prompt, .hand button')].map((element) => element.getBoundingClientRect());
}

/** Prefer positions below, above or beside the target; others only if they cover much less. */
export function spotFor(
  note: Size,
  about: readonly Box[],
  others: readonly Box[],
  within: Size,
  hand: readonly Box[] = [],
): Spot {
  const whole = around(about);
  const grown = about.map((box) => around([box], GAP - 1));
  const [right, bottom] = [within.wide - note.wide - EDGE, within.tall - note.tall - EDGE];
  const keep = (left: number, top: number): Spot => ({ left: between(left, right), top: between(top, bottom) });
  const middle = (whole.left + whole.right - note.wide) / 2;
  const spots = [
    keep(middle, whole.bottom + GAP),
    keep(middle, whole.top - GAP - note.tall),
    ...steps(bottom).flatMap((top) => [keep(whole.left - GAP - note.wide, top), keep(whole.right + GAP, top)]),
    ...steps(right).flatMap((left) => [keep(left, whole.bottom + GAP), keep(left, whole.top - GAP - note.tall)]),
  ];
  const cost = (spot: Spot): number => {
    const box = { ...spot, right: spot.left + note.wide, bottom: spot.top + note.tall };
    return (
      3 * coveredArea(box, grown) +
      HELD * coveredArea(box, hand) +
      coveredArea(box, others) +
      AWAY * distance(box, whole)
    );
  };
  return spots.map((spot) => ({ spot, cost: cost(spot) })).reduce((best, one) => (one.cost < best.cost ? one : best))
    .spot;
}

const between = (value: number, most: number): number => Math.max(EDGE, Math.min(most, value));

const steps = (most: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil((most - EDGE) / STEP)) }, (_, at) => EDGE + at * STEP);

const around = (boxes: readonly Box[], more = 0): Box => ({
  left: Math.min(...boxes.map((box) => box.left)) - more,
  top: Math.min(...boxes.map((box) => box.top)) - more,
  right: Math.max(...boxes.map((box) => box.right)) + more,
  bottom: Math.max(...boxes.map((box) => box.bottom)) + more,
});

/** Distance from the centre of one box to the other. */
function distance(box: Box, other: Box): number {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const across = Math.max(other.left - x, 0, x - other.right);
  const down = Math.max(other.top - y, 0, y - other.bottom);
  return Math.hypot(across, down);
}
