import { expect, it } from 'vitest';
import { presets } from '../model/presets';

it('offers the four festivals in order, each with a tagline in the reader’s language', async () => {
  const [english, dutch] = await Promise.all([presets('board', 'en'), presets('board', 'nl')]);
  expect(english).toHaveLength(4);
  expect(english[0]).toMatchObject({ key: 'vanillaville', line: 'Room for everybody, and the grass is free' });
  expect(dutch[0]).toMatchObject({ key: 'vanillaville', line: 'Plaats voor iedereen, en het gras is gratis' });
  expect(dutch.map((card) => card.value)).toEqual(english.map((card) => card.value));
  for (const [at, card] of dutch.entries()) expect(card.line).not.toBe(english[at]!.line);
});

it('has no presets for other options', async () => {
  expect(await presets('star', 'nl')).toEqual([]);
});
