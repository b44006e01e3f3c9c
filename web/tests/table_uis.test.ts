/** Conventions of every table UI: it imports its own folder and `$lib` only, takes colours and sizes from tokens, and has the same folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const GAMES = 'src/jamboree/games';
const TABLE_UIS = readdirSync(GAMES).filter((game) => existsSync(join(GAMES, game, 'web', 'index.ts')));
const FOLDERS = ['animation', 'art', 'board', 'hand', 'model', 'panels', 'shell', 'tests'];

interface File {
  path: string;
  text: string;
}

function read(folder: string, ...endings: string[]): File[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf-8' }).map((path) => join(folder, path));
  return paths
    .filter((path) => endings.includes(extname(path)))
    .map((path) => ({ path, text: readFileSync(path, 'utf-8') }));
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? found[0]);
}

const NAMES = 'white|black|red|green|blue|yellow|orange|purple|pink|brown|gold|silver|gr[ae]y|navy|teal';
const COLOUR = new RegExp(
  [
    '(?<!url\\(|href="|[\\w&])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\\b',
    '\\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\\(',
    `(?:fill|stroke|color)="(?:${NAMES})"`,
    `(?:color|background|fill|stroke|border|outline|shadow)[\\w-]*:[^;{}]*(?<![\\w-])(?:${NAMES})(?![\\w-])`,
  ].join('|'),
  'gi',
);
const SIZE = /font(?:-size)?:[^;{}]*?\d(?:px|rem|pt|vw|vh)|font-size="\d/g;
const MEASURED = /@(?:media|container)[^{]*\d[^{]*|MediaQuery\('[^']*\d[^']*'\)/g;

function literals(text: string): string[] {
  return [...all(text, COLOUR), ...all(text, SIZE)];
}

/** The imports of a file that are neither its game's own nor open to table UIs. */
function strangers({ path, text }: File, home: string): string[] {
  const tested = path.includes('/tests/');
  const open = tested ? /^(\$lib|\$tests|svelte|vitest|@testing-library|node:\w+)(\/|$)/ : /^(\$lib|svelte)(\/|$)/;
  return all(text, /(?:\bfrom|\bimport|\bimport\(|\bglob[^(]*\(|\bmock\()\s*'([^'\s]+)'/g).filter((name) => {
    if (name.startsWith('.')) return !normalize(join(dirname(path), name)).startsWith(home);
    return !open.test(name) && name !== '$types/wire';
  });
}

describe('a literal colour or size', () => {
  it.each([
    'color: #fff;',
    'fill="#8fd0fa"',
    'style:--tile="#231a2b"',
    'box-shadow: 0 4px rgb(0 0 0 / 0.5);',
    'color: hsl(1 2% 3%);',
    'border: 1px solid white;',
    'fill="black"',
    'font-size: 12px;',
    'font: 700 1.5rem / 1.2 var(--display);',
    'font-size: clamp(1.5rem, 5vw, 2rem);',
    '<text font-size="29">',
  ])('%s', (text) => expect(literals(text)).not.toEqual([]));
});

describe('an allowed value', () => {
  it.each([
    'color: var(--ink);',
    'fill: url(#fade);',
    '<use href="#bed" />',
    '{#each cards as card (card)}',
    'background: color-mix(in srgb, var(--seat-white) 40%, transparent);',
    'white-space: nowrap;',
    'font: 700 var(--t-m) / 1.2 var(--display);',
    'font-size: min(var(--t-s), 2.4cqw);',
    'font: 700 1em/1 var(--display);',
  ])('%s', (text) => expect(literals(text)).toEqual([]));
});

describe('a forbidden import', () => {
  const faults = (text: string, folder = 'hand'): string[] =>
    strangers({ path: `${GAMES}/toy/web/${folder}/Hand.svelte`, text }, `${GAMES}/toy`);

  it.each([
    ["import Log from '../../../../../web/src/table/Log.svelte';", '../../../../../web/src/table/Log.svelte'],
    ["import { a } from '../../../other/web/model/wire';", '../../../other/web/model/wire'],
    ["const { a } = await import('$games/other/web/index');", '$games/other/web/index'],
    ["import { it } from 'vitest';", 'vitest'],
  ])('%s', (text, name) => expect(faults(text)).toEqual([name]));

  it('is none of the game itself, of $lib or of svelte', () => {
    const own = "import { tick } from 'svelte';\nimport { a } from '../../box/a.json';\nimport B from '$lib/B.svelte';";
    expect(faults(own)).toEqual([]);
    expect(faults("import { it } from 'vitest';", 'tests')).toEqual([]);
  });
});

it('the shell has no breakpoints outside the list', () => {
  const measured = read('web/src', '.ts', '.svelte').filter(({ text }) => all(text, MEASURED).length);
  expect(measured.map(({ path }) => path)).toEqual([]);
});

it('every listed breakpoint is used', () => {
  const listed = Object.keys(JSON.parse(readFileSync('web/src/lib/breakpoints.json', 'utf-8')) as object);
  const drawn = [GAMES, 'web/src'].flatMap((folder) => read(folder, '.ts', '.svelte')).map(({ text }) => text);
  const used = new Set(all(drawn.join('\n'), /\(--([a-z]+)\)(?=[^{};]*\{)/g));
  expect(listed.filter((name) => !used.has(name))).toEqual([]);
});

describe.each(TABLE_UIS)('the table UI of %s', (game) => {
  const home = join(GAMES, game);
  const files = read(join(home, 'web'), '.ts', '.svelte');
  const palette = readFileSync(join(home, 'web', 'palette.css'), 'utf-8');
  const look = readFileSync(join(home, 'web', 'shell', 'theme.css'), 'utf-8');
  const found = (wrong: (file: File) => string[]): Record<string, string[]> =>
    Object.fromEntries(files.map((file) => [file.path, wrong(file)] as const).filter(([, things]) => things.length));

  it('imports $lib and nothing else of the shell', () => {
    expect(found((file) => strangers(file, home))).toEqual({});
  });

  it('takes its colours and font sizes from tokens', () => {
    expect(found(({ text }) => literals(text))).toEqual({});
  });

  it('takes its breakpoints from the list it shares with the shell', () => {
    expect(found(({ text }) => all(text, MEASURED))).toEqual({});
  });

  it('uses defined tokens only, and defines no unused ones', () => {
    const drawn = files.map(({ text }) => text).join('\n');
    const shell = read('web/src', '.css', '.svelte').map(({ text }) => text);
    const known = new Set(all([drawn, palette, look, ...shell].join('\n'), /(--[\w-]+)(?=["']?\]?[:=])/g));
    const used = new Set(all(drawn, /var\((--[\w-]+)\)/g));
    expect([...used].filter((name) => !known.has(name) && !drawn.includes(`'${name}'`))).toEqual([]);
    const families = all(drawn, /var\((--[\w-]+-)\{/g); // as in var(--quest-{colour})
    const idle = all(palette, /(--[\w-]+):/g).filter((name) => !families.some((family) => name.startsWith(family)));
    const taken = new Set(all(shell.join('\n'), /var\((--[\w-]+)/g)); // by the finale on a big screen
    expect(idle.filter((name) => !used.has(name) && !taken.has(name))).toEqual([]);
  });

  it('has the folders that every table UI has', () => {
    const folders = readdirSync(join(home, 'web'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !FOLDERS.includes(name))).toEqual([]);
  });
});
