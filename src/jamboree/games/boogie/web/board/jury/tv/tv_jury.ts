/** The jury on a big screen: its five steps, and what is at stake in each, in words. */
import { list } from '$lib/i18n.svelte';
import type { Seat } from '$lib/contract';
import { CHARACTERS, isFigure, printed, sameJump, type Character } from '../../../model/cards';
import { jumpName, sign } from '../../../model/wording';
import type { JumpSeen, Promised, Table, Turned } from '../../../model/wire';
import { verdictsByCard } from '../deciding_card';
import type { Shown } from '../jury.svelte';

export const STEPS = ['who', 'what', 'roll', 'points', 'promises'] as const;
export type Step = (typeof STEPS)[number];

const fails = ({ jumpers }: JumpSeen): boolean => !jumpers.length;

/** The step that is lit; without promises there is no fifth one. */
export function stepOf(judged: JumpSeen, shown: Shown, promises: number): Step {
  if (shown.judging && promises) return 'promises';
  if (fails(judged)) return 'who';
  if (shown.scored) return 'points';
  if (shown.weighed) return 'roll';
  return shown.counted || shown.cards > judged.characters.length ? 'what' : 'who';
}

/** Steps that a jump does not come to. */
export function crossedOut(judged: JumpSeen, shown: Shown): Step[] {
  if (!allTurned(judged, shown)) return [];
  if (fails(judged)) return ['what', 'roll', 'points'];
  return shown.counted && !judged.dice ? ['roll'] : [];
}

/** Whether all character cards are open, so that the number of jumpers is known. */
export function allTurned({ characters }: JumpSeen, { cards }: Shown): boolean {
  return cards >= characters.length;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A number in words, up to twelve. */
export function numberWord(table: Table, count: number): string {
  return table.t('web.tv.numbers').split(' ')[count] ?? String(count);
}

/** A chance in percent as a simple fraction: “about 3 in 4”. */
export function oddsText(table: Table, percent: number): string {
  if (percent <= 1 || percent >= 99) return table.t(`web.tv.jury.odds.${percent < 50 ? 'never' : 'always'}`);
  let best = { some: 1, all: 2, off: Infinity };
  for (const all of [2, 3, 4, 5, 6, 10, 20])
    for (let some = 1; some < all; some++) {
      const off = Math.abs(percent - (100 * some) / all);
      if (off < best.off - 1.5) best = { some, all, off };
    }
  return table.t('web.tv.jury.odds', { some: best.some, all: best.all });
}

/** What is at stake in a step. */
export function stake(table: Table, judged: JumpSeen, shown: Shown, step: Step): string {
  const { jump, potential, difficulty, dice, points } = judged;
  switch (step) {
    case 'who':
      return allTurned(judged, shown) ? verdict(table, judged) : needs(table, judged);
    case 'what':
      return shown.counted ? contents(table, judged) : table.t('web.tv.jury.turning');
    case 'roll':
      return table.t('web.tv.jury.reach', {
        difficulty,
        count: dice,
        dice: numberWord(table, dice),
        odds: oddsText(table, judged.percent),
      });
    case 'points':
      if (points) return table.t('web.jury.each', { count: judged.jumpers.length, points });
      return table.t(potential ? 'web.tv.jury.missed' : 'web.tv.jury.no-figures');
    default:
      return table.t('web.tv.jury.kept', { jump: jumpName(table, jump, null) });
  }
}

function needs(table: Table, { jump }: JumpSeen): string {
  const { number, solo } = jump;
  if (typeof solo === 'number') return table.t('web.tv.jury.solo', { name: table.name(solo) });
  return table.t('web.tv.jury.needs', { number, word: numberWord(table, number) });
}

function verdict(table: Table, { verdict: found, jumpers, jump, sure, maybe }: JumpSeen): string {
  const many = sure.length > jump.number ? sure.length : sure.length + maybe.length;
  const count = found === 'too many' ? many : jumpers.length;
  return table.t(`web.tv.jury.who.${found.replace(' ', '-')}`, {
    count,
    word: capital(numberWord(table, count)),
    jumpers: numberWord(table, count),
  });
}

function contents(table: Table, judged: JumpSeen): string {
  const { dice, potential, difficulty } = judged;
  if (!dice) return table.t('web.jury.not-one');
  const sum = difficulty - potential;
  const figures = table.t('web.tv.jury.figures', {
    count: dice,
    word: capital(numberWord(table, dice)),
    potential,
  });
  return sum
    ? `${figures}, ${table.t('web.tv.jury.effects', { sum: printed(sum > 0 ? `+${sum}` : String(sum)) })}`
    : figures;
}

/** Why the points are what they are. */
export function reason(table: Table, judged: JumpSeen): string {
  const { potential, difficulty, dice, jumpers, jump } = judged;
  const rolled = judged.eyes.reduce((sum, one) => sum + one, 0);
  if (!dice) return table.t('web.tv.jury.why.no-figures');
  if (rolled < difficulty) return table.t('web.tv.jury.why.missed', { rolled, difficulty });
  if (judged.verdict !== 'halved') return table.t('web.tv.jury.why', { potential, rolled, difficulty });
  const [count, number] = [jumpers.length, jump.number];
  return table.t('web.tv.jury.why.halved', {
    count,
    potential,
    jumpers: numberWord(table, count),
    number,
    wanted: numberWord(table, number),
  });
}

/** The marks that the deciding card may show, grouped by what each would mean. */
export function outlook(table: Table, judged: JumpSeen, place: number): { marks: Character[]; sentence: string }[] {
  const known = verdictsByCard(judged, place);
  const sentences = CHARACTERS.map((card) => consequence(table, judged, place, card, known[card]));
  return [...new Set(sentences)].map((sentence) => ({
    sentence,
    marks: CHARACTERS.filter((_, index) => sentences[index] === sentence),
  }));
}

function consequence(table: Table, judged: JumpSeen, place: number, card: Character, found: string | null): string {
  if (found !== 'exact' && found !== 'halved')
    return table.t(`web.tv.jury.would.${found?.replace(' ', '-') ?? 'open'}`);
  const { characters, jump } = judged;
  const counts = characters.slice(0, place).filter(({ seat }) => !isOut(judged, seat));
  const jumping = counts.filter((one) => one.card !== 'bluff').length + (card === 'bluff' ? 0 : 1);
  const certain = characters.slice(place + 1).every(({ seat }) => isOut(judged, seat));
  if (found === 'halved' && !certain) return table.t('web.tv.jury.would.halved.some');
  const count = found === 'exact' ? jump.number : jumping;
  return table.t(`web.tv.jury.would.${found}`, { count, word: capital(numberWord(table, count)) });
}

/** Whether a player's character cards come off the jump. */
export function isOut({ disqualified, late }: JumpSeen, seat: Seat): boolean {
  return disqualified.includes(seat) || late.includes(seat);
}

/** What a player laid instead of what was promised. */
export function breach(table: Table, judged: JumpSeen, { seat, term }: Promised): string {
  if (!sameJump(judged.jump, term.jump)) return '';
  const own = (cards: Turned[]): string[] => cards.filter((one) => one.seat === seat).map(({ card }) => card);
  const kinds = {
    figures: own(judged.jumpcards).filter(isFigure),
    harmless: own(judged.jumpcards).filter((card) => card.startsWith('+')),
  };
  const cards = kinds[term.pledge as keyof typeof kinds] ?? own(judged.characters);
  const laid = list(cards.map((card) => sign(table, card)));
  return laid ? table.t('web.tv.jury.laid', { cards: laid }) : table.t('web.tv.jury.laid-nothing');
}
