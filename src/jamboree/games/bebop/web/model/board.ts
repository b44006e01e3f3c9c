/** A festival's board, read from its text for drawing; the format is explained in box/data/boards/FORMAT.md. */
import type { BebopDie as Die } from '$types/wire';
import { neighbours, type Place } from '../board/hexes';

export interface Hex extends Place {
  name: string;
  kind: 'normal' | 'vip' | 'stage';
  stage: string | null; // its letter
  die: Die | null; // preprinted
}

export interface Board {
  id: string;
  name: string;
  tagline: string;
  album: string;
  palette: string[]; // surroundings, ground, stages
  rating: number; // where the markers start
  hexes: Hex[]; // in play, row by row
  at: Map<string, Hex>; // by name
}

interface Draft {
  header: Map<string, string>;
  sections: Map<string, string[]>;
}

const ROWS = 'abcdefghijklmnopqrstuvwxyz';

export function parseBoard(source: string, players: number): Board {
  const draft = sorted(source);
  const hexes = inPlay(draft, players);
  const text = (key: string): string => draft.header.get(key) ?? '';
  return {
    id: text('id'),
    name: text('name'),
    tagline: text('tagline'),
    album: text('album'),
    palette: text('palette').match(/#[0-9a-f]{6}/gi) ?? [],
    rating: Number(text('rating').split(/\s+/)[players - 2]) || 0,
    hexes,
    at: new Map(hexes.map((hex) => [hex.name, hex])),
  };
}

/** Sort the lines of a board into header values and sections; comments and blank lines are dropped. */
function sorted(source: string): Draft {
  const draft: Draft = { header: new Map(), sections: new Map() };
  let section: string[] | null = null;
  for (const raw of source.replace(/^\ufeff/, '').split('\n')) {
    const line = raw.trimEnd();
    const [, key = '', value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    if (line.startsWith('#')) continue;
    if (!line) section = null;
    else if (['map', 'regions', 'dice'].includes(key) && !value) draft.sections.set(key, (section = []));
    else if (section) section.push(line);
    else draft.header.set(key, value);
  }
  return draft;
}

function inPlay(draft: Draft, players: number): Hex[] {
  const regions = draft.sections.get('regions') ?? [];
  const dice = new Map((draft.sections.get('dice') ?? []).map((line) => readDie(line.trim().split(/\s+/))));
  return (draft.sections.get('map') ?? []).flatMap((line, y) =>
    [...line.matchAll(/\S/g)].flatMap(({ 0: symbol, index: x }, number) =>
      Number(regions[y]?.[x]) <= players ? [hex(symbol, x, y, `${ROWS[y]}${number + 1}`, dice)] : [],
    ),
  );
}

function readDie([letter = '', colour = '', face = '']: string[]): [string, Die] {
  return [letter, { colour, face }];
}

function hex(symbol: string, x: number, y: number, name: string, dice: Map<string, Die>): Hex {
  const stage = /[A-Z]/.test(symbol) ? symbol : null;
  const kind = stage ? 'stage' : symbol === '*' ? 'vip' : 'normal';
  return { name, x, y, kind, stage, die: dice.get(symbol) ?? null };
}

/** The letters of the stages next to a hex. */
export function stagesBeside(board: Board, hex: Hex): string[] {
  const near = new Set(neighbours(hex).map(({ x, y }) => `${x},${y}`));
  const found = board.hexes.filter(
    (other) => other.stage !== hex.stage && other.stage && near.has(`${other.x},${other.y}`),
  );
  return [...new Set(found.map((other) => other.stage!))];
}
