/** Crops a board picture to the places it is about. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Cut {
  scale: number;
  x: number; // offset of the scaled board in px
  y: number;
}

const SHARE = 0.7; // share of the picture that the places may fill
const NEAREST = 1; // maximum scale

/** Crop a board to some places, for a picture of a given size; without places the whole board. */
export function cropFor(board: Box, picture: Box, places: Box[]): Cut {
  const whole = Math.min(picture.width / board.width, picture.height / board.height);
  const about = union(places) ?? board;
  const near = SHARE * Math.min(picture.width / about.width, picture.height / about.height);
  const scale = places.length ? Math.min(NEAREST, Math.max(whole, near)) : whole;
  const along = (from: number, length: number, of: number, available: number): number => {
    const middle = available / 2 - (from + length / 2) * scale;
    const spare = available - of * scale;
    return spare > 0 ? spare / 2 : Math.min(0, Math.max(spare, middle));
  };
  return {
    scale,
    x: along(about.x, about.width, board.width, picture.width),
    y: along(about.y, about.height, board.height, picture.height),
  };
}

function union(places: Box[]): Box | null {
  if (!places.length) return null;
  const [x, y] = [Math.min(...places.map((one) => one.x)), Math.min(...places.map((one) => one.y))];
  const right = Math.max(...places.map((one) => one.x + one.width));
  const bottom = Math.max(...places.map((one) => one.y + one.height));
  return { x, y, width: right - x, height: bottom - y };
}
