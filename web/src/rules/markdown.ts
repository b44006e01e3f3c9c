/** Markdown parser for the rules pages: headings with anchors, lists, tables, paragraphs; no HTML. */
export interface Span {
  text: string;
  mark: 'plain' | 'strong' | 'emphasis' | 'code';
}

export type Block =
  | { kind: 'heading'; level: number; spans: Span[]; anchor: string | null }
  | { kind: 'list'; ordered: boolean; start: number; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'paragraph'; spans: Span[] };

/** A heading and the blocks below it. */
export interface Section {
  level: number;
  anchor: string | null;
  title: Span[];
  blocks: Block[];
}

const HEADING = /^(#{1,6}) (.+?)(?: \{#([a-z0-9-]+)\})?$/;
const ITEM = /^(?:[-*]|(\d+)\.) (.*)$/;
const MARKS = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/g;

export function spans(text: string): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index), mark: 'plain' });
    const [whole, strong, emphasis, code] = match;
    if (strong) found.push({ text: strong, mark: 'strong' });
    else if (emphasis) found.push({ text: emphasis, mark: 'emphasis' });
    else if (code) found.push({ text: code, mark: 'code' });
    end = match.index + whole.length;
  }
  if (end < text.length) found.push({ text: text.slice(end), mark: 'plain' });
  return found;
}

/** Split a page into blocks and parse each. */
export function parse(markdown: string): Block[] {
  return paragraphs(markdown.split(/\r?\n/)).map(block);
}

/** Group blocks by heading. */
export function sections(blocks: Block[]): Section[] {
  const found: Section[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading')
      found.push({ level: block.level, anchor: block.anchor, title: block.spans, blocks: [] });
    else if (found.length) found.at(-1)!.blocks.push(block);
    else found.push({ level: 1, anchor: null, title: [], blocks: [block] });
  }
  return found;
}

/** Plain text of inline markup. */
export const plain = (spans: Span[]): string => spans.map(({ text }) => text).join('');

function paragraphs(lines: string[]): string[][] {
  const found: string[][] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length) found.push(open);
    open = [];
  };
  for (const line of lines) {
    if (!line.trim()) close();
    else if (HEADING.test(line)) (close(), found.push([line]));
    else if (ITEM.test(line) && open[0] && !ITEM.test(open[0])) (close(), open.push(line));
    else open.push(line);
  }
  close();
  return found;
}

function block(lines: string[]): Block {
  const first = lines[0]!;
  const heading = HEADING.exec(first);
  if (heading) {
    const [, marks, text, anchor] = heading;
    return { kind: 'heading', level: marks!.length, spans: spans(text!), anchor: anchor ?? null };
  }
  if (ITEM.test(first)) return list(lines);
  if (first.startsWith('|')) return table(lines);
  return { kind: 'paragraph', spans: spans(lines.map((line) => line.trim()).join(' ')) };
}

function list(lines: string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2]!);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const number = ITEM.exec(lines[0]!)![1];
  return { kind: 'list', ordered: number !== undefined, start: Number(number ?? 1), items: items.map(spans) };
}

function table(lines: string[]): Block {
  const cells = (line: string): Span[][] =>
    line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => spans(cell.trim()));
  const [head, , ...rows] = lines;
  return { kind: 'table', head: cells(head!), rows: rows.map(cells) };
}
