/**
 * Static analysis: only `$lib/urls` builds URLs, since an unencoded path part lets a link from another site act as the
 * player who opens it. It scans the syntax trees of all scripts and markup of the client and of the games.
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
const BUILDERS = ['apiUrl', 'socketUrl', 'fileUrl', 'pageUrl', 'absoluteUrl', 'link', 'momentUrl', 'invitePicture'];
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
/** Properties and attributes whose text is parsed as markup, which may hold URLs. */
const MARKUP = ['innerHTML', 'outerHTML', 'srcdoc'];
const MARKUP_CALLS = ['insertAdjacentHTML', 'createContextualFragment', 'setHTMLUnsafe', 'parseFromString'];
/** Globals that may only be called, constructed or asked for a property: under another name they would not be found. */
const GLOBALS = [
  'fetch',
  'importScripts',
  'WebSocket',
  'EventSource',
  'Worker',
  'SharedWorker',
  'location',
  'window',
  'globalThis',
];
const WINDOWS = ['window', 'globalThis', 'self', 'document'];
const ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'srcset', 'poster', 'ping', 'xlink:href', 'data'];

/** A literal that looks like a piece of a URL, beside a value. */
const PIECE = /^\/(?!\/)[\w{]|^\/$|\/api\b|:\/\/|[?&][\w-]+=|#\/|[\w}]\/$/;
/** A literal that ends where a URL in a style begins. */
const STYLE = /\burl\(\s*["']?$/;

/** What is a URL as it is, or none at all; each with what shows that nothing from outside becomes a part of it. */
const ALLOWED: Record<string, string> = {
  "web/src/App.svelte: (page === 'rules' ? path.slice(0, 2) : path).join('/')": 'the key of a block, not an address',
  'web/src/app/offline_replays.svelte.ts: parts(replay.code, replay.names.length, plain)': 'of the type Url',
  'web/src/app/offline_replays.svelte.ts: `${table}/`': 'compared with the start of a path',
  'web/src/app/offline_replays.svelte.ts: url': 'taken apart',
  'web/src/postgame/share/MomentPicture.svelte: [url, picture!.name]': 'a picture of the page itself, to be downloaded',
  "web/src/postgame/FairnessPage.svelte: URL.createObjectURL( new Blob([JSON.stringify(await api.journal(code))], { type: 'application/json' }), )":
    'a file of the page itself, to be downloaded',
  'web/src/postgame/share/moment.ts: place': 'of the type Url',
  'web/src/postgame/share/styles.ts: `url("${new URL(url, from).href}")`': 'a font that a style sheet of ours names',
  'web/src/postgame/share/styles.ts: `url("${fonts.get(url)}")`': 'a font as data',
  'web/src/postgame/share/styles.ts: url': 'a font that a style sheet of ours names',
  'web/src/app/worker/build_cache.ts: folder': 'of the page, as the worker knows it',
  'web/src/app/worker/build_cache.ts: url': 'a file of the build',
  "web/src/page/page_server.svelte.ts: path.join('/')":
    'the name of a request in the page, whose parts were encoded before',
  'web/src/page/worker.ts: `${folder}/files.json`': 'a file of the build',
  'web/src/page/worker.ts: `${folder}/${name}.gz`': 'a file of the build',
  'web/src/page/page_server.svelte.ts: this as never': 'the socket whose listener is called',
  'web/src/page/worker.ts: url': 'a file of the build',
  'web/src/page/worker.ts: self.fetch': 'the function itself',
  'web/src/page/worker.ts: `${folder}/pyodide.mjs`': 'a file of the build',
  'web/src/page/worker.ts: `${folder}/`': 'the folder of the build',
  'web/src/page/worker.ts: `${folder}/lock.json`': 'a file of the build',
  'web/src/page/worker.ts: `${folder}/thinker.js`': 'a file of the build',
  'web/src/page/worker.ts: `${folder}/${game}.wasm`': 'a file of the build',
  'web/src/app/worker/fetch_strategy.ts: request': 'a request that the page has made',
  'web/src/app/worker/fetch_strategy.ts: request.url': 'taken apart',
  'web/src/app/worker/notification_click.ts: to': 'an address that the page had, of its own origin',
  'web/src/app/worker/notification_click.ts: url': 'taken apart',
  'web/src/dev/recording.ts: address': 'a file that Vite serves in development',
  'web/src/lib/components/sprite.ts: sheet': 'a drawing of ours, parsed apart from the page',
  'src/jamboree/games/boogie/web/hand/WristTimer.svelte: `${table.view.ready.length}/${table.view.seats}`':
    'two numbers',
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

/** A node with the one it belongs to. */
interface Place {
  node: Node;
  parent: Node | null;
}

function* places(value: unknown, parent: Node | null = null): Generator<Place> {
  if (Array.isArray(value)) for (const one of value) yield* places(one, parent);
  else if (typeof value === 'object' && value !== null) {
    const node = isNode(value) ? value : parent;
    if (isNode(value)) yield { node: value, parent };
    for (const [field, one] of Object.entries(value))
      if (field !== 'parent' && field !== 'loc') yield* places(one, node);
  }
}

/** What the rules know of the file in which they look at a node. */
interface File {
  own: Set<string>;
  text: (node: Node) => string;
}

/** A rule: the expressions at a node that build a URL, or pass one on that nobody has checked. */
type Rule = (place: Place, file: File) => (Node | undefined | null)[];

const unbuilt = (node: Node | undefined | null): Node[] => (node && !isBuilt(node) ? [node] : []);
const isLiteral = (node: Node | undefined): boolean => node?.type === 'Literal' && typeof node.value === 'string';
const piece = (node: Node | undefined): boolean => isLiteral(node) && PIECE.test(String(node!.value));

const RULES: Record<string, Rule> = {
  call({ node }, { own, text }) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
    const [callee, args] = [node.callee as Node, node.arguments as Node[]];
    const [name, owner] = [nameOf(callee), ownerOf(callee)];
    const sink = Object.hasOwn(CALLS, name) && !(owner === '' && own.has(name)) ? CALLS[name] : undefined;
    if (sink && (sink.of?.includes(owner) ?? true)) return unbuilt(args[sink.at]);
    if (/^setAttribute/.test(name) && [...ATTRIBUTES, ...MARKUP].includes(String(args[0]?.value)))
      return unbuilt(args[1]);
    if (MARKUP_CALLS.includes(name) || (owner === 'document' && /^write(ln)?$/.test(name)))
      return args.filter((one) => !isLiteral(one));
    const cached = callee.type === 'MemberExpression' && /\bcaches?\b/i.test(text(callee.object as Node));
    return cached && ['add', 'addAll', 'put'].includes(name) ? unbuilt(args[0]) : [];
  },
  join({ node }) {
    if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'MemberExpression') return [];
    const [name, args] = [nameOf(node.callee as Node), node.arguments as Node[]];
    if (name === 'join') return piece(args[0]) ? [node] : [];
    return name === 'concat' && [(node.callee as Node).object as Node, ...args].some(piece) ? [node] : [];
  },
  assignedFields({ node }) {
    const assigned = node.type === 'CallExpression' && nameOf(node.callee as Node) === 'assign' ? node.arguments : [];
    const fields = (assigned as Node[]).flatMap((one) => (one.type === 'ObjectExpression' ? one.properties : []));
    return (fields as Node[])
      .filter((field) => field.type === 'Property' && [...PROPERTIES, ...MARKUP].includes(nameOf(field.key as Node)))
      .flatMap((field) => unbuilt(field.value as Node));
  },
  load: ({ node }) => (node.type === 'ImportExpression' ? unbuilt(node.source as Node) : []),
  alias({ node, parent }, { own }) {
    const [name, owner] = [nameOf(node), ownerOf(node)];
    if (node.type === 'MemberExpression' ? !WINDOWS.includes(owner) : node.type !== 'Identifier' || own.has(name))
      return [];
    if (!GLOBALS.includes(name)) return [];
    if (parent?.type === 'MemberExpression' && name === 'fetch') return parent.object === node ? [parent] : [];
    const used = parent && ALIASES[parent.type]?.some((field) => parent[field] === node || isIn(parent[field], node));
    return used ? [node] : [];
  },
  unpacked({ node }) {
    const [pattern, from] =
      node.type === 'VariableDeclarator'
        ? [node.id, node.init]
        : node.type === 'AssignmentExpression'
          ? [node.left, node.right]
          : [];
    if (!isNode(pattern) || pattern.type !== 'ObjectPattern' || !isNode(from) || !WINDOWS.includes(nameOf(from)))
      return [];
    return (pattern.properties as Node[]).filter(({ key }) => isNode(key) && GLOBALS.includes(nameOf(key)));
  },
  cast({ node }) {
    if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return [];
    const type = node.typeAnnotation as Node;
    return ['TSAnyKeyword', 'TSNeverKeyword'].includes(type.type) || isUrl(type) ? [node] : [];
  },
  typed({ node }) {
    if (node.type !== 'VariableDeclarator' && node.type !== 'PropertyDefinition') return [];
    const [name, value] = node.type === 'VariableDeclarator' ? [node.id, node.init] : [node, node.value];
    const { typeAnnotation } = name as { typeAnnotation?: { typeAnnotation?: Node } };
    return isUrl(typeAnnotation?.typeAnnotation) ? unbuilt(value as Node | null) : [];
  },
  assigned({ node }) {
    if (node.type !== 'AssignmentExpression') return [];
    const left = node.left as Node;
    const targets = [...nodes(left.type === 'ArrayPattern' ? left.elements : [left])].filter(({ type }) =>
      ['MemberExpression', 'Identifier'].includes(type),
    );
    if (targets.some((one) => PROPERTIES.includes(nameOf(one)) && !isOwn(one))) return unbuilt(node.right as Node);
    if (targets.some((one) => MARKUP.includes(nameOf(one)) && one.type === 'MemberExpression'))
      return isLiteral(node.right as Node) ? [] : [node.right as Node];
    return node.operator === '+=' && piece(node.right as Node) ? [node] : [];
  },
  attribute({ node }) {
    if (node.type !== 'Attribute') return [];
    const parts = (Array.isArray(node.value) ? node.value : [node.value]) as (Node | true)[];
    const texts = parts.map((part) => (part !== true && part.type === 'Text' ? String(part.data) : ''));
    const values = parts.map((part) => (part !== true && part.type === 'ExpressionTag' ? part : null));
    if (node.name === 'style')
      return values.filter((part, at) => part && STYLE.test(texts[at - 1] ?? '') && !isBuilt(part.expression as Node));
    if (MARKUP.includes(node.name as string))
      return values.filter((part) => part && !isLiteral(part.expression as Node));
    if (!ATTRIBUTES.includes(node.name as string) || isFragment(texts[0]!)) return [];
    return values.flatMap((part) =>
      part === null ? [] : parts.length > 1 ? [node] : unbuilt(part.expression as Node),
    );
  },
  spread: ({ node, parent }) => (node.type === 'SpreadAttribute' && parent?.type !== 'Component' ? [node] : []),
  html: ({ node }) => (node.type === 'HtmlTag' ? [node] : []),
  template({ node }) {
    const values = node.type === 'TemplateLiteral' ? (node.expressions as Node[]) : [];
    if (!values.length) return [];
    const quasis = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    if (values.some((value, at) => STYLE.test(quasis[at]!) && !isBuilt(value))) return [node];
    return !isOther(quasis[0]!) && quasis.some((text) => PIECE.test(text)) ? [node] : [];
  },
  sum({ node }) {
    if (node.type !== 'BinaryExpression' || node.operator !== '+') return [];
    const [left, right] = [node.left as Node, node.right as Node];
    return piece(left) || piece(right) || (isLiteral(left) && STYLE.test(String(left.value))) ? [node] : [];
  },
};

/** By type of a node, the fields in which a global would get another name. */
const ALIASES: Record<string, string[]> = {
  VariableDeclarator: ['init'],
  AssignmentExpression: ['right'],
  AssignmentPattern: ['right'],
  Property: ['value'],
  PropertyDefinition: ['value'],
  ArrayExpression: ['elements'],
  CallExpression: ['arguments'],
  ArrowFunctionExpression: ['body'],
  ReturnStatement: ['argument'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  SpreadElement: ['argument'],
  TSAsExpression: ['expression'],
};

const isIn = (list: unknown, node: Node): boolean => Array.isArray(list) && list.includes(node);
const isUrl = (type: Node | undefined): boolean =>
  [...nodes(type)].some(({ typeName }) => isNode(typeName) && nameOf(typeName) === 'Url');

/** The expressions of a file that build a URL, or pass on one of which nothing is known. */
function findings(path: string, text: string): string[] {
  const source = extname(path) === '.ts' ? `<script lang="ts">\n${text}\n</script>` : text;
  const { html: _, ...tree } = parse(source, { modern: true, filename: path }) as unknown as Record<string, unknown>;
  const all = [...places(tree)];
  const written = (node: Node): string => source.slice(node.start, node.end);
  const file = { own: declared(all.map(({ node }) => node)), text: written };
  const found = all.flatMap((place) => Object.values(RULES).flatMap((rule) => rule(place, file)));
  return [...new Set(found.flatMap((node) => (node ? [`${path}: ${written(node).replace(/\s+/g, ' ')}`] : [])))];
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
    'const path = `${root}/${code}`',
    "const path = ['tables', code].join('/')",
    "const path = '/tables/'.concat(code)",
    "const path = root.concat('/tables/', code)",
    "path += '/' + code",
    "path += '/tables'",
    "const path = root + '/' + code",
    'cache.add(address)',
    'cache.put(address, response)',
    "(await caches.open('a')).addAll(addresses)",
    'import(address)',
    'const ask = fetch; ask(address)',
    'const ask = window.fetch',
    'const ask = fetch.bind(window)',
    'use(fetch)',
    'const ask = fetch.bind(null)',
    'fetch.call(null, address)',
    'const { fetch: ask } = window',
    'const page = window; page.open(address)',
    'const Socket = WebSocket',
    'const here = location',
    'const { assign } = location',
    'const { location: here } = window',
    '({ location: here } = document)',
    'Object.assign(anchor, { href: address })',
    'Object.assign(location, { hash: address })',
    'element.innerHTML = text',
    'element.outerHTML = `<a href="${address}">`',
    'frame.srcdoc = text',
    "element.insertAdjacentHTML('beforeend', text)",
    'document.write(text)',
    'element.style.backgroundImage = `url(${address})`',
    'element.style.backgroundImage = "url(\'" + address + "\')"',
    'request(address as any)',
    'request(address as unknown as Url)',
    'request(address as never)',
    'request(<Url>address)',
    'const url: Url = JSON.parse(text)',
    'const url: Url | null = await response.json()',
    'class A { url: Url = JSON.parse(text) }',
  ])('is found in a script: %s', (text) => expect(findings('a.ts', text)).not.toEqual([]));

  it.each([
    '<a href="#/t/{code}">a</a>',
    '<a href={address}>a</a>',
    '<img src="api/{code}" alt="" />',
    '<a href={`#/${x}`}>a</a>',
    '<a {...fields}>a</a>',
    '<svelte:element this={tag} {...fields} />',
    '{@html text}',
    '<iframe srcdoc={text}></iframe>',
    '<i style="background: url({address})"></i>',
    '<i style="background: url(\'{address}\')"></i>',
    '<i style:background={`url(${address})`}></i>',
    '<i style={`background: url("${address}")`}></i>',
  ])('is found in markup: %s', (text) => expect(findings('a.svelte', text)).not.toEqual([]));
});

describe('code that builds no URL', () => {
  it.each([
    "request(apiUrl(['games', game]))",
    "location.hash = pageUrl('t', code)",
    'const half = `${a / 2}px`',
    'const path = `M${x} ${y}H${z}`',
    'const load = FILES[`../games/${game}/web/index.ts`]',
    "const text = `${names.join(', ')} / ${count}`",
    "const text = names.join(', ') + lines.join(' / ')",
    "const all = [...names].concat('Ada')",
    'seen.add(name)',
    "import('./page.ts')",
    "listen('fetch', answer)",
    "const path = location.pathname + '?'",
    "fetch('/api')",
    'element.style.background = `url(#${layer})`',
    "element.innerHTML = ''",
    'const url: Url = pageUrl(code)',
    'const url: Url | null = null',
    'const text = x as string',
    'this.search = text',
    "element.setAttribute('href', `#${layer}`)",
    'const open = (x) => x; open(address)',
    'cache.open(name)',
    "history.replaceState(null, '', location.pathname)",
  ])('is accepted in a script: %s', (text) => expect(findings('a.ts', text)).toEqual([]));

  it.each([
    '<Card {...fields} />',
    '<i style="width: {x}px; mask: url(#a)"></i>',
    '<a href="#/">a</a>',
    '<use href="#die-{face}" />',
    "<a href={link('t', code)}>a</a>",
  ])('is accepted in markup: %s', (text) => expect(findings('a.svelte', text)).toEqual([]));
});

it('no script or markup of the client builds a URL by itself', () => {
  const paths = scripts();
  expect(paths.length).toBeGreaterThan(300);
  expect(paths).toContain(HOME);
  const found = paths.filter((path) => path !== HOME).flatMap((path) => findings(path, readFileSync(path, 'utf-8')));
  expect(found.filter((what) => !Object.hasOwn(ALLOWED, what))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((what) => !found.includes(what))).toEqual([]);
}, 60_000); // it parses every file
