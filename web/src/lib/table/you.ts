/** Sentences about me as one says them to me: the server tells everybody's by name. */
import data from '$core/kit/you.json';
import type { Settings } from '../contract';
import { memo } from '../memo';
import { own } from '../own';

/** How a language says “you” for a name, which stands in patterns; they are made once for each name. */
type Wording = (name: string) => (text: string) => string;

const VERBS = data.en.verbs.join('|');
const EN: Record<string, string> = data.en.forms;
const NL: Record<string, string> = data.nl.forms;
const VERBS_NL = Object.keys(NL).join('|');
const BEFORE = data.nl.before.join('|');
const start = (says: readonly string[]): RegExp =>
  new RegExp(`([.!?…][”’"')]*\\s+[“‘"'(]*)(${says.join('|')})\\b`, 'g');
const SENTENCE = { en: start(data.en.says), nl: start(data.nl.says) }; // where it begins one after another
const END = '(?![\\p{L}\\p{N}])'; // of a name

/** The form of an English verb that goes with “you”. */
function base(verb: string): string {
  const known = own(EN, verb);
  if (known) return known;
  if (/(ss|sh|ch|x|z)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

const english: Wording = (name) => {
  const mine = new RegExp(`^${name} (?!and\\b)([a-z]+)([^.;]*)`, 'u');
  const more = new RegExp(`\\band (${VERBS})\\b`, 'g');
  const own = new RegExp(`(^|[^\\p{L}])${name}['’]s${END}`, 'gu');
  const ownThing = new RegExp(`\\b[Tt]he ([\\p{L}\\p{N}_]+) of ${name}${END}`, 'gu');
  const of = new RegExp(`\\bof ${name}${END}`, 'gu');
  const doing = new RegExp(`(^|[^\\p{L}])${name} (${VERBS})\\b`, 'gu');
  const any = new RegExp(`(^|[^\\p{L}])${name}${END}`, 'gu');
  const told = (_: string, verb: string, rest: string): string => {
    const on = rest.replace(more, (_, next: string) => `and ${base(next)}`);
    return `you ${base(verb)}${on}`.replaceAll('their own', 'your own');
  };
  return (text) =>
    text
      .replace(mine, told)
      .replace(own, '$1your')
      .replace(ownThing, 'your $1')
      .replace(of, 'of yours')
      .replace(doing, (_, before: string, verb: string) => `${before}you ${base(verb)}`)
      .replace(any, '$1you');
};

const dutch: Wording = (name) => {
  const mine = new RegExp(`^(${name} [^.;]*?) en (${VERBS_NL})\\b`, 'u');
  const mineAlone = new RegExp(`^(${name} [^.;]*?)\\bde eigen\\b`, 'u');
  const ownThing = new RegExp(`\\b(?:[Dd]e|[Hh]et) ([\\p{L}\\p{N}_]+) van ${name}${END}`, 'gu');
  const promised = new RegExp(`\\b(belooft) ${name}${END}`, 'gu');
  const object = new RegExp(`\\b(${BEFORE}) ${name}${END}`, 'gu');
  const doing = new RegExp(`(^|[^\\p{L}])${name} (${VERBS_NL})\\b`, 'gu');
  const any = new RegExp(`(^|[^\\p{L}])${name}${END}`, 'gu');
  return (text) =>
    text
      .replace(mine, (_, before: string, verb: string) => `${before} en ${NL[verb]}`)
      .replace(mineAlone, '$1je eigen')
      .replace(ownThing, 'jouw $1')
      .replace(promised, 'beloof jij')
      .replace(object, '$1 jou')
      .replace(doing, (_, before: string, verb: string) => `${before}jij ${NL[verb]}`)
      .replace(any, '$1jij');
};

const WORDINGS: Record<Settings['language'], Wording> = { en: memo(english), nl: memo(dutch) };
const animals = memo((name) => new RegExp(`(${name}) \\([^)]*\\)`, 'gu'));

/** Say “you” for a name. One that could be a word or a number, like “red”, “x” or “7”, stays. */
export function toMe(text: string, name: string, language: Settings['language']): string {
  if ([...name].length < 2 || !/^(?!\p{Ll})\p{L}/u.test(name) || !text.includes(name)) return text;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const bare = text.replace(animals(escaped), '$1'); // I know which animal I am
  const capital = (_: string, before: string, word: string): string =>
    before + word.charAt(0).toUpperCase() + word.slice(1);
  const told = WORDINGS[language](escaped)(bare).replace(SENTENCE[language], capital);
  return told.charAt(0).toUpperCase() + told.slice(1);
}
