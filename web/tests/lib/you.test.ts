import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toMe } from '$lib/table/you';

const en = (text: string): string => toMe(text, 'Ada', 'en');
const nl = (text: string): string => toMe(text, 'Ada', 'nl');

/** All sentences of the games' logs, with me on every seat. */
function sentences(language: 'en' | 'nl'): string[] {
  return ['bebop', 'bpm', 'boogie'].flatMap((game) => {
    const path = `src/jamboree/games/${game}/words/locale/${language}.json`;
    const texts = JSON.parse(readFileSync(path, 'utf-8')) as Record<string, string | Record<string, string>>;
    const told = Object.entries(texts).filter(([key]) => key.startsWith('event.'));
    return told.flatMap(([, text]) => (typeof text === 'string' ? [text] : Object.values(text)));
  });
}
const WHO = /\{(seat|winners|jumpers|jumpmaster|owner|to|leaders|token_to)\}/g;

describe('what is said of me', () => {
  test('is said to me in English', () => {
    expect(en('Ada rerolls a 3 and gets a 5.')).toBe('You reroll a 3 and get a 5.');
    expect(en('Ada passes: there is nothing to claim.')).toBe('You pass: there is nothing to claim.');
    expect(en('Ada has a combo on a1 and wins 2 superfans! The fan on b2 stays.')).toBe(
      'You have a combo on a1 and win 2 superfans! The fan on b2 stays.',
    );
    expect(en('Ada and Bob tie for the keys.')).toBe('You and Bob tie for the keys.');
    expect(en('The show is over, and Ada wins! The final score is 3 for Ada and 2 for Bob.')).toBe(
      'The show is over, and you win! The final score is 3 for you and 2 for Bob.',
    );
    expect(en('Bob promises Ada to leave Ada’s solo alone.')).toBe('Bob promises you to leave your solo alone.');
    expect(en('The late 3 of Ada is discarded.')).toBe('The late 3 of yours is discarded.');
    expect(en('Ada is away: a bot plays for now.')).toBe('You are away: a bot plays for now.');
  });

  test('is said to me in Dutch', () => {
    expect(nl('Ada heeft een combo.')).toBe('Jij hebt een combo.');
    expect(nl('Ada legt een kaart op de 2.')).toBe('Jij legt een kaart op de 2.');
    expect(nl('Onder vier ogen belooft Ada aan Bob alles.')).toBe('Onder vier ogen beloof jij aan Bob alles.');
    expect(nl('De late kaart van Ada gaat terug.')).toBe('De late kaart van jou gaat terug.');
  });

  test('never mixes persons, in any sentence of any game', () => {
    const wrong = sentences('en')
      .map((text) => en(text.replace(WHO, 'Ada')))
      .filter((text) => /\b[Yy]ou (has|is|[a-z]*[^s]s)\b|\band (gets|puts|wins|scores|is) |Ada/.test(text));
    expect(wrong).toEqual([]);
    const fout = sentences('nl')
      .map((text) => nl(text.replace(WHO, 'Ada')))
      .filter((text) => /\b[Jj]ij (heeft|is)\b|Ada/.test(text));
    expect(fout).toEqual([]);
  });

  test('leaves out the animal behind a name', () => {
    expect(en('Ada (Frog) is ready.')).toBe('You are ready.');
    expect(en('Bob (Dog) promises Ada (Frog) to stay out of the 2.')).toBe(
      'Bob (Dog) promises you to stay out of the 2.',
    );
    expect(en('The plane takes off, and Ada (Frog) is jumpmaster.')).toBe(
      'The plane takes off, and you are jumpmaster.',
    );
    expect(nl('Ada (Kikker) is klaar.')).toBe('Jij bent klaar.');
  });

  test('leaves other words alone', () => {
    expect(en('Adam claims a1.')).toBe('Adam claims a1.');
    expect(toMe('A claims a1.', 'A', 'en')).toBe('A claims a1.');
    expect(toMe('red books a1 with red keys.', 'red', 'en')).toBe('red books a1 with red keys.');
    expect(toMe('12 takes 12 points.', '12', 'en')).toBe('12 takes 12 points.');
    expect(toMe('Mr. X+ claims a1.', 'Mr. X+', 'en')).toBe('You claim a1.');
  });
});
