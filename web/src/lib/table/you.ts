/** Sentences about me as one says them to me: the server tells everybody's by name. */
import data from '$core/kit/you.json';
import type { Settings } from '../contract';

type Wording = (text: string, name: RegExp) => string;

const VERBS = data.en.verbs.join('|');
const EN: Record<string, string> = data.en.forms;
const NL: Record<string, string> = data.nl.forms;
const VERBS_NL = Object.keys(NL).join('|');
const BEFORE = data.nl.before.join('|');
const END = '(?![\\p{L}\\p{N}])'; // of a name

/** The form of an English verb that goes with “you”. */
function base(verb: string): string {
  if (EN[verb]) return EN[verb];
  if (/(ss|sh|ch|x|z)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb;
}

const english: Wording = (text, { source: name }) => {
  const mine = new RegExp(`^${name} (?!and\\b)([a-z]+)([^.;]*)`, 'u');
  const own = text.replace(mine, (_, verb: string, rest: string) => {
    const more = rest.replace(new RegExp(`\\band (${VERBS})\\b`, 'g'), (_, next: string) => `and ${base(next)}`);
    return `you ${base(verb)}${more}`.replaceAll('their own', 'your own');
  });
  const others = own
    .replace(new RegExp(`(^|[^\\p{L}])${name}['’]s${END}`, 'gu'), '$1your')
    .replace(new RegExp(`\\b[Tt]he ([\\p{L}\\p{N}_]+) of ${name}${END}`, 'gu'), 'your $1')
    .replace(new RegExp(`\\bof ${name}${END}`, 'gu'), 'of yours')
    .replace(new RegExp(`(^|[^\\p{L}])${name} (${VERBS})\\b`, 'gu'), (_, before: string, verb: string) => {
      return `${before}you ${base(verb)}`;
    });
  return others.replace(new RegExp(`(^|[^\\p{L}])${name}${END}`, 'gu'), '$1you');
};

const dutch: Wording = (text, { source: name }) =>
  text
    .replace(new RegExp(`^(${name} [^.;]*?) en (${VERBS_NL})\\b`, 'u'), (_, before: string, verb: string) => {
      return `${before} en ${NL[verb]}`;
    })
    .replace(new RegExp(`\\b(?:[Dd]e|[Hh]et) ([\\p{L}\\p{N}_]+) van ${name}${END}`, 'gu'), 'jouw $1')
    .replace(new RegExp(`\\b(belooft) ${name}${END}`, 'gu'), 'beloof jij')
    .replace(new RegExp(`\\b(${BEFORE}) ${name}${END}`, 'gu'), '$1 jou')
    .replace(new RegExp(`(^|[^\\p{L}])${name} (${VERBS_NL})\\b`, 'gu'), (_, before: string, verb: string) => {
      return `${before}jij ${NL[verb]}`;
    })
    .replace(new RegExp(`(^|[^\\p{L}])${name}${END}`, 'gu'), '$1jij');

const WORDINGS: Record<Settings['language'], Wording> = { en: english, nl: dutch };

/** Say “you” for a name. One that could be a word or a number, like “red”, “x” or “7”, stays. */
export function toMe(text: string, name: string, language: Settings['language']): string {
  if ([...name].length < 2 || !/^(?!\p{Ll})\p{L}/u.test(name) || !text.includes(name)) return text;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const bare = text.replace(new RegExp(`(${escaped}) \\([^)]*\\)`, 'gu'), '$1'); // I know which animal I am
  const told = WORDINGS[language](bare, new RegExp(escaped, 'u'));
  return told.charAt(0).toUpperCase() + told.slice(1);
}
