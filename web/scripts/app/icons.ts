/** The app's icons, drawn at build time from the mark that the page has in its corner. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const WASM = '@resvg/resvg-wasm/index_bg.wasm';
const INNER = /<svg[^>]*>(.*)<\/svg>/s;
const PAPER = '#f5ecd9';

export interface Icon {
  file: string;
  size: number;
  purpose: 'any' | 'maskable';
  part: number; // of the icon's width that the mark takes up
  ground?: string; // what lies behind it; nothing if it is left out
}

/** A phone cuts a maskable icon to a shape of its own: a circle of four fifths is sure to be seen. */
export const ICONS: Icon[] = [
  { file: 'icon-192.png', size: 192, purpose: 'any', part: 1 },
  { file: 'icon-512.png', size: 512, purpose: 'any', part: 1 },
  { file: 'icon-maskable-512.png', size: 512, purpose: 'maskable', part: 0.66, ground: PAPER },
  { file: 'icon-apple-180.png', size: 180, purpose: 'any', part: 0.8, ground: PAPER },
];

let ready: Promise<void> | undefined;

export async function draw(mark: string, icon: Icon): Promise<Uint8Array> {
  ready ??= initWasm(readFileSync(createRequire(import.meta.url).resolve(WASM)));
  await ready;
  return new Resvg(framed(mark, icon), { fitTo: { mode: 'width', value: icon.size } }).render().asPng();
}

/** Put a mark of 64 units into the middle of a square. */
function framed(mark: string, { part, ground }: Icon): string {
  const [, shapes = ''] = INNER.exec(mark) ?? [];
  const side = 64 / part;
  const margin = (side - 64) / 2;
  const behind = ground ? `<rect width="${side}" height="${side}" fill="${ground}"/>` : '';
  const placed = `<g transform="translate(${margin} ${margin})">${shapes}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${behind}${placed}</svg>`;
}
