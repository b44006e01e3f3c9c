import { expect, test } from 'vitest';
import { measured } from '../scripts/breakpoints';

test.each([
  ['@media (--stacked) {', '@media (max-width: 1023px) {'],
  [
    '@container zone ((--slim) and (--strip)) or (--sliver) {',
    '@container zone ((max-width: 200px) and (max-height: 100px)) or (max-width: 95px) {',
  ],
  ['@media (--sideways) {', '@media ((orientation: landscape) and (max-height: 520px)) {'],
  ['a { color: var(--small); }', 'a { color: var(--small); }'],
])('%s', (named, sized) => expect(measured(named)).toBe(sized));

test('an unknown name fails the build', () => {
  expect(() => measured('@media (--enormous) {')).toThrow('enormous');
});
