import { readFileSync } from 'node:fs';
import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { asked, Bench } from './test_table';
import Board from '../board/Board.svelte';
import Hand from '../hand/Hand.svelte';
import HypeCard from '../panels/HypeCard.svelte';
import sheet from '../sheet.svg?raw';

const GAME = 'src/jamboree/games/bpm';
const CARDS = [...readFileSync(`${GAME}/box/data/hype.toml`, 'utf-8').matchAll(/^\[cards\.(.+)\]$/gm)].map(
  ([, key]) => key!,
);
const drawings = new DOMParser().parseFromString(sheet, 'image/svg+xml').querySelector('defs')!;
const emblem = (card: string): string | undefined => drawings.querySelector(`#hype-${card}`)?.innerHTML;

describe('the Hype cards', () => {
  it('are nineteen, each with its own emblem', () => {
    expect(CARDS).toHaveLength(19);
    expect(CARDS.filter((card) => !emblem(card))).toEqual([]);
    expect(new Set(CARDS.map(emblem)).size).toBe(CARDS.length);
  });

  it.each(['en', 'nl'] as const)('show name, text and effect in %s', (language) => {
    const bench = new Bench('bpm-4', (view) => view.card !== null, language);
    const { card, bends } = bench.table.view;
    bench.draw(Board);
    const { textContent } = document.querySelector('.hype')!;
    for (const key of [`hype.${card}.name`, `hype.${card}.text`, ...bends.map((bend) => `web.bends.${bend}`)])
      expect(textContent).toContain(bench.table.t(key));
    expect(bends.length).toBeGreaterThan(0);
    expect(document.querySelectorAll(`.hype use[href="#hype-${card}"]`).length).toBeGreaterThan(0);
  });

  it('show their back while none is revealed', () => {
    const bench = new Bench('bpm-4', asked('setlist'));
    render(HypeCard, { props: { table: bench.table, card: null, waiting: 'Soon.' } });
    expect(document.querySelector('.hype')!.textContent).toContain('Soon.');
    expect(document.querySelector('.hype use')!.getAttribute('href')).toBe('#hype-back');
  });

  it('are offered to the Hypemaster with their emblems', () => {
    const bench = new Bench('bpm-4', asked('cue'));
    bench.change({ phase: 'hype', turn: 0, drawn: ['power-cut', 'corners'], card: null }, [], [0]);
    bench.draw(Hand);
    const drawn = [...document.querySelectorAll('.cards use')].map((use) => use.getAttribute('href'));
    expect(drawn).toEqual(['#hype-power-cut', '#hype-corners']);
  });
});
