/** Drawings as images: whole, with the page's colours, and read before they are wanted. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepare, pictureOf } from '$lib/art/pictures';
import { injectSprite } from '$lib/components/sprite';

let sheets = 0;

/** Put a sheet into the page whose drawings no other test has. */
function drawings(): { hat: string; head: string; band: string } {
  const [hat, head, band] = ['hat', 'head', 'band'].map((name) => `${name}-${++sheets}`) as [string, string, string];
  injectSprite(`<svg xmlns="http://www.w3.org/2000/svg"><defs>
    <symbol id="${band}" viewBox="0 0 9 9"><path class="bo" fill="var(--felt, #123456)" d="M0 0h9v9Z"/></symbol>
    <symbol id="${hat}" viewBox="0 0 80 40"><use href="#${band}"/></symbol>
    <symbol id="${head}" viewBox="0 0 80 80"><use href="#${hat}" y="9"/><text>100 %</text></symbol>
  </defs></svg>`);
  return { hat, head, band };
}

function contents(name: string): Document {
  const [, address] = pictureOf(name)!.href.split('data:image/svg+xml,');
  expect(address).not.toContain('#');
  return new DOMParser().parseFromString(decodeURIComponent(address!), 'image/svg+xml');
}

beforeEach(() => document.body.replaceChildren());
afterEach(() => {
  document.documentElement.removeAttribute('style');
  vi.unstubAllGlobals();
});

test('an image contains a drawing and its parts only', () => {
  const { hat, head, band } = drawings();
  const ids = (name: string): string[] => [...contents(name).querySelectorAll('symbol')].map((part) => part.id);
  expect(ids(head)).toEqual([head, hat, band]);
  expect(ids(hat)).toEqual([hat, band]);
  expect(contents(head).querySelector('svg > use')!.getAttribute('href')).toBe(`#${head}`);
  expect(contents(head).querySelector('text')!.textContent).toBe('100 %');
  expect(pictureOf(head)).toMatchObject({ width: 80, height: 80 });
});

test('it has the classes and colours of the page', () => {
  document.documentElement.style.setProperty('--felt', '#abcdef');
  const style = contents(drawings().hat).querySelector('style')!.textContent;
  expect(style).toContain('--felt:#abcdef');
  expect(style).toContain('.bo{');
  expect(style).not.toContain('.pz{');
});

test('without its sheet a drawing has no image', () => {
  expect(pictureOf('nowhere')).toBeNull();
});

test('images are preloaded once', async () => {
  const read: string[] = [];
  vi.stubGlobal(
    'Image',
    class {
      set src(address: string) {
        read.push(address);
      }
    },
  );
  const { hat, head } = drawings();
  await prepare([hat, head]);
  await prepare([head, hat]);
  expect(read).toEqual([pictureOf(hat)!.href, pictureOf(head)!.href]);
});
