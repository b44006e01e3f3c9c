/** Full-text search in the rules: case- and accent-insensitive, all words of the query under one heading. */
import { plain, type Block, type Section, type Span } from './markdown';

export interface Hit {
  anchor: string;
  title: string;
  line: string; // excerpt around the first hit
}

/** A text split at its hits. */
export interface Piece {
  text: string;
  found: boolean;
}

const AROUND = 48; // characters of context around a hit

/** Fold case and accents, character by character. */
function folded(text: string): string {
  return [...text].map((sign) => sign.normalize('NFD')[0]!.toLowerCase()).join('');
}

/** The words of a query. */
export function wordsOf(query: string): string[] {
  return folded(query).split(/\s+/).filter(Boolean);
}

export function find(sections: Section[], query: string): Hit[] {
  const words = wordsOf(query);
  if (!words.length) return [];
  return sections.flatMap(({ anchor, title, blocks }) => {
    const [name, lines] = [plain(title), blocks.flatMap(linesOf)];
    const all = folded([name, ...lines].join('\n'));
    if (!anchor || !words.every((word) => all.includes(word))) return [];
    const line = lines.find((one) => words.some((word) => folded(one).includes(word))) ?? lines[0] ?? '';
    return [{ anchor, title: name, line: around(line, words) }];
  });
}

/** Split a text into hits and the rest. */
export function splitHits(text: string, words: string[]): Piece[] {
  const comparable = folded(text);
  if (!words.length || comparable.length !== text.length) return [{ text, found: false }];
  const pieces: Piece[] = [];
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const longest = Math.max(0, ...words.filter((word) => comparable.startsWith(word, at)).map((word) => word.length));
    if (!longest) continue;
    if (at > end) pieces.push({ text: text.slice(end, at), found: false });
    end = at + longest;
    pieces.push({ text: text.slice(at, end), found: true });
    at = end - 1;
  }
  if (end < text.length || !pieces.length) pieces.push({ text: text.slice(end), found: false });
  return pieces;
}

function linesOf(block: Block): string[] {
  const spans: Span[][] =
    block.kind === 'list'
      ? block.items
      : block.kind === 'table'
        ? [block.head, ...block.rows].map((row) => row.flatMap((cell) => [...cell, { text: ' ', mark: 'plain' }]))
        : [block.spans];
  return spans.map(plain);
}

function around(line: string, words: string[]): string {
  const at = Math.max(0, Math.min(...words.map((word) => folded(line).indexOf(word)).filter((place) => place >= 0)));
  const [from, to] = [Number.isFinite(at) ? at - AROUND : 0, Number.isFinite(at) ? at + AROUND : 2 * AROUND];
  const cut = line.slice(Math.max(0, from), to).trim();
  return `${from > 0 ? '… ' : ''}${cut}${to < line.length ? ' …' : ''}`;
}
