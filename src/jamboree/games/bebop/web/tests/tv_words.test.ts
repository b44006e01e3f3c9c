/** The headline of a big screen. */
import { expect, test } from 'vitest';
import { Bench, steps } from './test_table';
import ui from '../index';
import type { View } from '../model/wire';

const { position } = steps('bebop-2')[0]!;

function headline(change: Partial<View>): string | null {
  const { table, model } = new Bench('bebop-2', { ...position, view: { ...position.view, ...change } });
  return ui.tvPrompt!(table, model, [0]);
}

const open = (count: number): View['tiles'] =>
  position.view.festival.hexes
    .slice(0, count)
    .map(({ name }) => ({ hex: name, seat: 0, tile: 'basic', face_down: false, die: null }));

test('the headline says what can be done with the open seats', () => {
  const turn = { phase: 'turn', turn: 0 };
  expect(headline({ ...turn, tiles: [] })).toMatch(/: claim a seat$/);
  expect(headline({ ...turn, tiles: open(2) })).toMatch(/: claim a seat or book one$/);
  expect(headline({ ...turn, tiles: open(3) })).toMatch(/: book one of your three seats$/);
});

test.each(['claim again', 'book this seat', 'perform', 'take a die', 'reroll'])('has words for “%s”', (phase) => {
  expect(headline({ phase })).not.toMatch(/^web\./);
});
