import { describe, expect, test } from 'vitest';
import { parse, sections } from '../../src/rules/markdown';
import { find, splitHits, wordsOf } from '../../src/rules/search';

const PAGE = sections(
  parse(
    [
      '# Rules',
      'Everybody plays.',
      '',
      '## A turn {#turn}',
      'Claim a seat, or book one of your own.',
      '',
      '## The café {#cafe}',
      '| with | 2 |',
      '|---|---|',
      '| **dice** | 9 |',
      '',
      '- one seat',
      '- naïve fans',
    ].join('\n'),
  ),
);

const found = (query: string): string[] => find(PAGE, query).map(({ anchor }) => anchor);

describe('search', () => {
  test('finds words under their headings, in any case, also in lists and tables', () => {
    expect(found('SEAT')).toEqual(['turn', 'cafe']);
    expect(found('dice')).toEqual(['cafe']);
    expect(found('turn')).toEqual(['turn']);
  });

  test('requires all words under one heading', () => {
    expect(found('seat book')).toEqual(['turn']);
    expect(found('dice book')).toEqual([]);
  });

  test('ignores accents', () => {
    expect(found('cafe')).toEqual(['cafe']);
    expect(found('naive')).toEqual(['cafe']);
    expect(found('naïve')).toEqual(['cafe']);
  });

  test('finds nothing for an empty query', () => {
    expect(found('')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  test('matches symbols literally', () => {
    expect(found('(.*)')).toEqual([]);
    expect(find(sections(parse('## Sums {#sums}\nA +2 or −3.')), '+2').map(({ line }) => line)).toEqual([
      'A +2 or −3.',
    ]);
  });

  test('returns an excerpt', () => {
    const long = sections(parse(`## Long {#long}\n${'word '.repeat(40)}needle${' word'.repeat(40)}`));
    const [hit] = find(long, 'needle');
    expect(hit?.line).toMatch(/^… .*needle.* …$/);
    expect(hit!.line.length).toBeLessThan(120);
  });
});

describe('a hit', () => {
  const lit = (text: string, query: string): string[] =>
    splitHits(text, wordsOf(query)).flatMap((part) => (part.found ? [part.text] : []));

  test('is highlighted as written', () => {
    expect(lit('The Café, a cafe', 'cafe')).toEqual(['Café', 'cafe']);
    expect(lit('seats and a seat', 'seat seats')).toEqual(['seats', 'seat']);
  });

  test('leaves the text unchanged', () => {
    const text = 'Naïve fans: “dice” ⊘ and ✓ 🎲 dice';
    expect(
      splitHits(text, wordsOf('dice'))
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
