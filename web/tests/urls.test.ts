/**
 * Nothing builds a URL but `$lib/urls`: an unencoded part of a path once let a link from another site act in the name of
 * whoever opened it. All scripts and markup of the client are read here, those of the games' web folders too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const FOLDERS = ['web/src', 'src/jamboree/games'];
const BUILDERS = ['apiUrl', 'socketUrl', 'fileUrl', 'pageUrl', 'absolute', 'link', 'placeOf', 'invitePicture'];
BUILDERS.push('journalFile');
const HOME = 'web/src/lib/urls.ts';

/**
 * What takes a URL: functions by the place of the URL among their arguments, and what they belong to where their name
 * means other things too. `request` is not among them: it takes nothing but what `$lib/urls` has made.
 */
const CALLS: Record<string, { at: number; of?: string[] }> = {
  fetch: { at: 0, of: ['window', 'globalThis', 'self', ''] },
  open: { at: 0, of: ['window', 'globalThis', 'self', ''] },
  Request: { at: 0 },
  WebSocket: { at: 0 },
  EventSource: { at: 0 },
  Worker: { at: 0 },
  SharedWorker: { at: 0 },
  URL: { at: 0 },
  importScripts: { at: 0 },
  sendBeacon: { at: 0 },
  assign: { at: 0, of: ['location'] },
  replace: { at: 0, of: ['location'] },
  pushState: { at: 2 },
  replaceState: { at: 2 },
  openWindow: { at: 0 },
  navigate: { at: 0 },
  register: { at: 0, of: ['serviceWorker'] },
};
const PROPERTIES = ['href', 'src', 'hash', 'action', 'formAction', 'srcset', 'location', 'search', 'pathname'];
const ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'srcset', 'poster', 'ping', 'xlink:href', 'data'];

/** A literal that looks like a piece of a URL, beside a value. */
const PIECE = /^\/(?!\/)[\w{]|\/api\b|:\/\/|[?&][\w-]+=|#\/|[\w}]\/$/;

/** What is a URL as it is, or none at all; each with what shows that nothing from outside becomes a part of it. */
const ALLOWED: Record<string, string> = {
  'web/src/app/offline_replays.svelte.ts: url': 'taken apart',
  'web/src/postgame/share/MomentPicture.svelte: [url, picture!.name]': 'a picture of the page itself, to be downloaded',
  'web/src/postgame/share/moment.ts: place': 'of the type Url',
  'web/src/postgame/share/styles.ts: url': 'a font that a style sheet of ours names',
  'web/src/app/worker/build_cache.ts: file': 'a file of the build',
  'web/src/app/worker/fetch_strategy.ts: request': 'a request that the page has made',
  'web/src/app/worker/fetch_strategy.ts: request.url': 'taken apart',
  'web/src/app/worker/notification_click.ts: to': 'an address that the page had, of its own origin',
  'web/src/app/worker/notification_click.ts: url': 'taken apart',
  'web/src/dev/recording.ts: address': 'a file that Vite serves in development',
  'web/src/lib/art/Drawn.svelte: picture.href': 'a drawing of ours as data',
  "web/src/lib/art/pictures.ts: pictureOf(name)?.href ?? ''": 'a drawing of ours as data',
  'web/src/party/JoinCode.svelte: link': 'taken apart',
};

function scripts(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf-8' }).map((path) => join(folder, path)),
  )
    .filter((path) => ['.ts', '.svelte'].includes(extname(path)) && !/\/tests\/|\.d\.ts$/.test(path))
    .filter((path) => path.startsWith('web/src/') || /^src\/jamboree\/games\/[^/]+\/web\//.test(path));
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodes(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodes(one);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value;
    for (const [field, one] of Object.entries(value)) if (field !== 'parent' && field !== 'loc') yield* nodes(one);
  }
}

const nameOf = (callee: Node | undefined): string => {
  if (callee?.type === 'Identifier') return callee.name as string;
  if (callee?.type === 'Literal') return String(callee.value); // as in location['href']
  return callee?.type === 'MemberExpression' ? nameOf(callee.property as Node) : '';
};

/** What a member belongs to; nothing for a plain name. */
const ownerOf = (callee: Node): string => {
  if (callee.type !== 'MemberExpression') return '';
  return (callee.object as Node).type === 'ThisExpression' ? 'this' : nameOf(callee.object as Node) || 'another';
};

/** Names that a file gives to things of its own. */
function declared(all: readonly Node[]): Set<string> {
  const names = all.flatMap((node): unknown[] => {
    if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') return [...nodes(node.id)];
    if (/^(Arrow)?Function/.test(node.type)) return (node.params as Node[]).flatMap((one) => [...nodes(one)]);
    return node.type === 'ImportSpecifier' ? [node.local] : [];
  });
  return new Set(names.flatMap((name) => ((name as Node).type === 'Identifier' ? nameOf(name as Node) : [])));
}

/** Whether a text begins like the name of a drawing on this page, or like data. */
const isFragment = (text: string): boolean => /^(#(?!\/)[\w-]*|data:.*,)$/.test(text);

/** Whether an expression is a URL as it stands: written out, or made by a builder. */
function isBuilt(node: Node): boolean {
  switch (node.type) {
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return (
        (node.expressions as Node[]).length === 0 ||
        isFragment((node.quasis as [{ value: { cooked: string } }])[0].value.cooked)
      );
    case 'CallExpression':
      return BUILDERS.includes(nameOf(node.callee as Node));
    case 'MemberExpression':
      return ownerOf(node) === 'location';
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].every((one) => isBuilt(one as Node));
    case 'LogicalExpression':
      return isBuilt(node.right as Node) && (node.operator === '&&' || isBuilt(node.left as Node));
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isBuilt(node.expression as Node);
    default:
      return false;
  }
}

/** The expressions of a file that build a URL, or hand on one of which nothing is known. */
function findings(path: string, text: string): string[] {
  const source = extname(path) === '.ts' ? `<script lang="ts">\n${text}\n</script>` : text;
  const { html: _, ...tree } = parse(source, { modern: true, filename: path }) as unknown as Record<string, unknown>;
  const found = new Set<string>();
  const note = (node: Node): void => {
    found.add(`${path}: ${source.slice(node.start, node.end).replace(/\s+/g, ' ')}`);
  };
  const check = (node: Node | undefined): void => {
    if (node && !isBuilt(node)) note(node);
  };
  const all = [...nodes(tree)];
  const own = declared(all);
  for (const node of all) {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const [callee, args] = [node.callee as Node, node.arguments as Node[]];
      const [name, owner] = [nameOf(callee), ownerOf(callee)];
      const sink = Object.hasOwn(CALLS, name) && !(owner === '' && own.has(name)) ? CALLS[name] : undefined;
      if (sink && (sink.of?.includes(owner) ?? true)) check(args[sink.at]);
      else if (/^setAttribute/.test(name) && ATTRIBUTES.includes(String(args[0]?.value))) check(args[1]);
    } else if (node.type === 'TSAsExpression') {
      const { typeName } = node.typeAnnotation as { typeName?: Node };
      if (nameOf(typeName) === 'Url') note(node);
    } else if (node.type === 'AssignmentExpression') {
      const targets = nodes((node.left as Node).type === 'ArrayPattern' ? (node.left as Node).elements : [node.left]);
      const sinks = [...targets].filter(({ type }) => type === 'MemberExpression' || type === 'Identifier');
      if (sinks.some((one) => PROPERTIES.includes(nameOf(one)) && !isOwn(one))) check(node.right as Node);
    } else if (node.type === 'Attribute' && ATTRIBUTES.includes(node.name as string)) {
      const parts = (Array.isArray(node.value) ? node.value : [node.value]) as (Node | true)[];
      const [first] = parts;
      const fragment = first !== true && first?.type === 'Text' && isFragment(String(first.data));
      for (const part of fragment ? [] : parts)
        if (part !== true && part.type === 'ExpressionTag')
          if (parts.length > 1) note(node);
          else check(part.expression as Node);
    } else if (node.type === 'TemplateLiteral' && (node.expressions as Node[]).length) {
      const quasis = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
      if (!isOther(quasis[0]!) && quasis.some((text) => PIECE.test(text))) note(node);
    } else if (node.type === 'BinaryExpression' && node.operator === '+') {
      const texts = [node.left, node.right].map((one) => (one as Node).value).filter((one) => typeof one === 'string');
      if (texts.some((text) => PIECE.test(text as string))) note(node);
    }
  }
  return [...found];
}

/** A name of a variable or of a field of this very object, which leads nowhere by itself. */
const isOwn = (node: Node): boolean =>
  (ownerOf(node) || nameOf(node)) !== 'location' && ['', 'this'].includes(ownerOf(node));

/** The key of a file that the build knows (`import.meta.glob`), which is looked up, or an image. */
const isOther = (start: string): boolean => ['./', '../', '<svg'].some((one) => start.startsWith(one));

describe('code that builds a URL', () => {
  it.each([
    "fetch('/api/v1/games/' + game)",
    'fetch(`${API}${path}`)',
    'fetch(url)',
    'new WebSocket(`ws://${host}/x`)',
    'new URL(text, location.href)',
    "location.href = '#/t/' + code",
    'location.hash = place',
    'location.assign(place)',
    'location.replace(`#/t/${code}`)',
    "history.replaceState(null, '', place)",
    'open(address)',
    "anchor.setAttribute('href', address)",
    'image.src = address',
    '[anchor.href, anchor.download] = [url, name]',
    'const path = `/games/${game}/rules`',
    'const query = `a?language=${language}`',
    "const more = start + '&seat=' + seat",
    "const all = root + 'https://' + host",
    'navigator.sendBeacon(address)',
    'window.open(address)',
    "window['open'](address)",
    "location['href'] = place",
    'request(address as Url)',
    "element.setAttribute('href', `#/t/${code}`)",
  ])('is found in a script: %s', (text) => expect(findings('a.ts', text)).not.toEqual([]));

  it.each([
    '<a href="#/t/{code}">a</a>',
    '<a href={address}>a</a>',
    '<img src="api/{code}" alt="" />',
    '<a href={`#/${x}`}>a</a>',
  ])('is found in markup: %s', (text) => expect(findings('a.svelte', text)).not.toEqual([]));
});

describe('code that builds no URL', () => {
  it.each([
    "request(apiUrl(['games', game]))",
    "location.hash = pageUrl('t', code)",
    'const half = `${a / 2}px`',
    'const path = `M${x} ${y}H${z}`',
    'const load = FILES[`../games/${game}/web/index.ts`]',
    "const text = `${names.join(', ')}/${count}`",
    'this.search = text',
    "element.setAttribute('href', `#${layer}`)",
    'const open = (x) => x; open(address)',
    'cache.open(name)',
    "history.replaceState(null, '', location.pathname)",
  ])('is accepted in a script: %s', (text) => expect(findings('a.ts', text)).toEqual([]));

  it.each(['<a href="#/">a</a>', '<use href="#die-{ui}" />', "<a href={link('t', code)}>a</a>"])(
    'is accepted in markup: %s',
    (text) => expect(findings('a.svelte', text)).toEqual([]),
  );
});

it('no script or markup of the client builds a URL by itself', () => {
  const paths = scripts();
  expect(paths.length).toBeGreaterThan(300);
  expect(paths).toContain(HOME);
  const found = paths.filter((path) => path !== HOME).flatMap((path) => findings(path, readFileSync(path, 'utf-8')));
  expect(found.filter((what) => !Object.hasOwn(ALLOWED, what))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((what) => !found.includes(what))).toEqual([]);
}, 60_000); // it parses every file
