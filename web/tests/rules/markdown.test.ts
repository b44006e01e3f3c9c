import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, spans } from '../../src/rules/markdown';

const GAMES = 'src/jamboree/games';
const pages = readdirSync(GAMES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
  .flatMap(({ name }) => ['en', 'nl', 'quick-en', 'quick-nl'].map((page) => `${GAMES}/${name}/words/rules/${page}.md`));

describe('a rules page', () => {
  test('has headings with anchors', () => {
    const [title, heading] = parse('# Rules\n\n## A turn {#turn}\nDo it.');
    expect(title).toMatchObject({ kind: 'heading', level: 1, anchor: null });
    expect(heading).toMatchObject({ kind: 'heading', level: 2, anchor: 'turn', spans: [{ text: 'A turn' }] });
  });

  test('joins the lines of a paragraph', () => {
    expect(parse('one\ntwo\n\nthree')).toMatchObject([
      { kind: 'paragraph', spans: [{ text: 'one two' }] },
      { kind: 'paragraph', spans: [{ text: 'three' }] },
    ]);
  });

  test('has lists, also directly below a paragraph and with a start number', () => {
    const [before, list] = parse('Then:\n2. one\n   and more\n3. two');
    expect(before).toMatchObject({ kind: 'paragraph' });
    expect(list).toMatchObject({ kind: 'list', ordered: true, start: 2 });
    expect(list?.kind === 'list' && list.items.map((item) => item[0]?.text)).toEqual(['one and more', 'two']);
  });

  test('has tables', () => {
    const [table] = parse('| with | 2 |\n|---|---|\n| dice | **9** |');
    expect(table).toMatchObject({ kind: 'table', rows: [[[{ text: 'dice' }], [{ text: '9', mark: 'strong' }]]] });
  });

  test('has inline markup', () => {
    expect(spans('a **b** *c* `d`')).toEqual([
      { text: 'a ', mark: 'plain' },
      { text: 'b', mark: 'strong' },
      { text: ' ', mark: 'plain' },
      { text: 'c', mark: 'emphasis' },
      { text: ' ', mark: 'plain' },
      { text: 'd', mark: 'code' },
    ]);
  });

  test.each(pages)('%s is parsed completely, with no markup left', (path) => {
    const source = readFileSync(path, 'utf8');
    const blocks = parse(source);
    const anchors = blocks.flatMap((block) => (block.kind === 'heading' && block.anchor ? [block.anchor] : []));
    expect(anchors).toEqual([...source.matchAll(/\{#([a-z0-9-]+)\}/g)].map((match) => match[1]));
    expect(JSON.stringify(blocks)).not.toMatch(/\*\*|\{#|"\| /);
  });
});
