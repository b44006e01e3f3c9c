/** Renders the board to an image in the browser: SVG drawn on a canvas. */
import { fontsInside, styles } from './styles';

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';
const WIDEST = 1600; // maximum width in CSS px; doubled on high-density screens
const NARROWEST = 420; // height of the caption
const PAD = 20;
const HEAD = 56;
const STILL = '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent}';
const LEFT_OUT = '.visually-hidden, button.whole, script';

export interface Picture {
  root: HTMLElement; // the table
  title: string;
  sentence: string;
  line: string; // players and points
}

export async function drawMoment({ root, title, sentence, line }: Picture): Promise<HTMLCanvasElement> {
  const board = root.querySelector<HTMLElement>('.board')!;
  const box = board.getBoundingClientRect();
  const [wide, high] = [Math.round(Math.min(box.width, WIDEST)), Math.round(box.height)];
  const width = Math.max(wide, NARROWEST) + 2 * PAD;
  const caption = wordsBelow(sentence, line, width - 2 * PAD);
  const below = heightOf(caption);
  const height = HEAD + high + PAD + below + PAD;
  const card = element('div', `width:${width}px;height:${height}px;${CARD}`);
  const place = element('div', `position:relative;width:${wide}px;height:${high}px;margin:0 auto ${PAD}px`);
  place.append(copyOf(board));
  card.append(ground(root), wordsAbove(title), place, caption);
  return paint(await wrapped(card, root, width, height), width, height);
}

const CARD = `position:relative;isolation:isolate;box-sizing:border-box;padding:0 ${PAD}px ${PAD}px;overflow:hidden;background:var(--bg);color:var(--ink);font-family:var(--font-ui)`;

function element(tag: string, style: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.setAttribute('style', style);
  made.textContent = text;
  return made;
}

function copyOf(board: HTMLElement): HTMLElement {
  const copy = board.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll(LEFT_OUT)) part.remove();
  copy.style.cssText += ';position:absolute;inset:0;width:100%;height:100%';
  return copy;
}

/** Background of the table. */
function ground(root: HTMLElement): HTMLElement {
  const copy = root.querySelector<HTMLElement>('.backdrop')!.cloneNode(true) as HTMLElement;
  copy.style.cssText += ';position:absolute;inset:0;z-index:-1';
  return copy;
}

function wordsAbove(title: string): HTMLElement {
  const head = element('div', `display:flex;align-items:center;gap:10px;height:${HEAD}px`);
  const mark = document.createElementNS(SVG, 'svg');
  mark.setAttribute('style', 'width:32px;height:32px;flex:none');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', '#mark');
  mark.append(use);
  const chip = 'padding:4px 12px;border-radius:99px;background:var(--surface);font:700 19px/1.2 var(--display)';
  head.append(mark, element('span', chip, title));
  return head;
}

function wordsBelow(sentence: string, line: string, width: number): HTMLElement {
  const style = `width:${width}px;box-sizing:border-box;padding:12px 16px;border-radius:12px;background:var(--surface)`;
  const caption = element('div', `${style};color:var(--ink)`);
  caption.append(
    element('p', 'margin:0;font:700 19px/1.3 var(--font-ui)', sentence),
    element('p', 'margin:6px 0 0;font:600 15px/1.3 var(--font-ui);color:var(--muted)', line),
  );
  return caption;
}

/** Measure an element's height off-screen. */
function heightOf(part: HTMLElement): number {
  const aside = element('div', 'position:absolute;visibility:hidden;left:0;top:0');
  aside.append(part);
  document.body.append(aside);
  const { height } = part.getBoundingClientRect();
  aside.remove();
  return Math.ceil(height);
}

/** Build a self-contained SVG of a card, with styles, fonts and drawings. */
async function wrapped(card: HTMLElement, root: HTMLElement, width: number, height: number): Promise<string> {
  const image = document.createElementNS(SVG, 'svg');
  for (const { name, value } of document.documentElement.attributes) image.setAttribute(name, value);
  image.setAttribute('width', String(width));
  image.setAttribute('height', String(height));
  const style = document.createElementNS(SVG, 'style');
  style.textContent = (await fontsInside(styles())) + STILL;
  const inside = document.createElementNS(SVG, 'foreignObject');
  inside.setAttribute('width', '100%');
  inside.setAttribute('height', '100%');
  const table = root.cloneNode(false) as HTMLElement; // styles depend on the board's ancestors
  table.setAttribute('xmlns', HTML);
  table.style.cssText = 'display:block;height:100%;padding:0';
  table.append(card);
  inside.append(...drawings(), table);
  image.append(style, inside);
  return new XMLSerializer().serializeToString(image);
}

/** The sprite sheets of the page. */
function drawings(): Node[] {
  return [...document.querySelectorAll('body > svg[aria-hidden=true]')].map((sheet) => sheet.cloneNode(true));
}

async function paint(image: string, width: number, height: number): Promise<HTMLCanvasElement> {
  const drawn = new Image();
  drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(image)}`;
  await drawn.decode();
  const scale = Math.min(2, Math.max(1, devicePixelRatio), (2 * WIDEST) / width);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext('2d')!.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return canvas;
}
