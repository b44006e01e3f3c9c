/**
 * Renders symbols of a sprite sheet as images.
 *
 * `<use>` clones all parts of a symbol into the page, where each is styled, laid out and painted; an image is a single
 * node. Its colours are those of the page's root, so it suits complex drawings that look the same in every theme.
 */
import classes from '../../sprite.css?raw';
import { nextTask } from '../table/tasks';

export interface Picture {
  href: string;
  width: number; // viewBox of the drawing
  height: number;
}

const made = new Map<string, Picture>();
const cache = new Map<string, HTMLImageElement>(); // keeps decoded images, which browsers drop if nothing shows them

/** The image of a drawing, or none while its sheet is not in the page. */
export function pictureOf(name: string): Picture | null {
  const picture = made.get(name) ?? draw(name);
  if (picture) made.set(name, picture);
  return picture;
}

/** Decode images in advance: each takes a while, and a scene has many. */
export async function prepare(names: string[]): Promise<void> {
  for (const name of names) {
    if (cache.has(name)) continue;
    const image = new Image();
    cache.set(name, image);
    await nextTask();
    image.src = pictureOf(name)?.href ?? '';
  }
}

function draw(name: string): Picture | null {
  const drawing = document.getElementById(name);
  if (!drawing) return null;
  const [, , width = 0, height = 0] = drawing.getAttribute('viewBox')!.split(' ').map(Number);
  return { href: addressOf(imageOf(drawing)), width, height };
}

/** Encode an image as a short data URL, which browsers parse at each use. */
function addressOf(image: string): string {
  return `data:image/svg+xml,${image.replaceAll('%', '%25').replaceAll('#', '%23')}`;
}

function imageOf(drawing: Element): string {
  const parts = [...withParts(drawing)].map(written).join('');
  const box = drawing.getAttribute('viewBox');
  const style = `<style>${stylesOf(parts)}</style>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${style}<defs>${parts}</defs><use href="#${drawing.id}"/></svg>`;
}

/** The markup of a drawing and of all symbols it uses. */
function withParts(drawing: Element, found = new Set<Element>()): Set<Element> {
  found.add(drawing);
  for (const use of drawing.querySelectorAll('use')) {
    const part = document.getElementById(use.getAttribute('href')!.slice(1));
    if (part && !found.has(part)) withParts(part, found);
  }
  return found;
}

function written(part: Element): string {
  return new XMLSerializer().serializeToString(part).replace(' xmlns="http://www.w3.org/2000/svg"', '');
}

/** The style rules and token values that drawings refer to. */
function stylesOf(parts: string): string {
  const rules = (classes.match(/^\.\w+\{.*$/gm) ?? []).filter((rule) => parts.includes(`"${/\w+/.exec(rule)![0]}"`));
  const names = [...(parts + rules.join('')).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!);
  const root = getComputedStyle(document.documentElement);
  const tokens = [...new Set(names)].flatMap((name) => {
    const value = root.getPropertyValue(name).trim();
    return value ? [`${name}:${value}`] : [];
  });
  return `:root{${tokens.join(';')}}${rules.join('')}`;
}
