/** Line breaking and font size of a title on a poster. */
const WIDTH = 320; // usable width of the poster's 360
const WIDEST = 0.62; // letter width relative to font size
const LARGEST = 60;
const MOST_LINES = 3;

export function posterTitle(name: string): { lines: string[]; size: number } {
  const words = name.split(/\s+/).filter(Boolean);
  let longest = Math.max(1, ...words.map((word) => word.length));
  let lines = broken(words, longest);
  while (lines.length > MOST_LINES) lines = broken(words, ++longest);
  return { lines, size: Math.min(LARGEST, Math.floor(WIDTH / (longest * WIDEST))) };
}

/** Break a name into lines of a maximum length. */
function broken(words: string[], most: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const joined = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length && joined.length <= most) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}
