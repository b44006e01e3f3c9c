/** Names of cards, jumps and promises in the reader's language. */
import type { Seat } from '$lib/contract';
import { isCharacter, isFigure, printed } from './cards';
import type { Jump, Promised, Table, Term } from './wire';

export function cardName(table: Table, card: string): string {
  if (isCharacter(card)) return table.t(`web.card.${card}`);
  return table.t(isFigure(card) ? 'web.card.figure' : 'web.card.effect', { value: printed(card) });
}

/** Explanation of a card. */
export function cardPower(table: Table, card: string): string {
  if (isCharacter(card)) return table.t(`web.why.${card}`);
  if (isFigure(card)) return table.t('web.why.figure', { value: printed(card) });
  const kind = card.startsWith('+') ? 'harm' : card.startsWith('-') ? 'help' : 'nothing';
  return table.t(`web.why.${kind}`, { value: printed(card).slice(1) });
}

/** Short label of a card: its number or a character's symbol. */
export function sign(table: Table, card: string): string {
  return isCharacter(card) ? table.t(`card.${card}`) : printed(card);
}

/** A jump within a sentence: “the 3”, “solo Max”, “my solo” or “your solo”. */
export function jumpName(table: Table, jump: Jump, speaker: Seat | null = table.me): string {
  if (typeof jump.solo !== 'number') return table.t('jump.formation', { number: jump.number });
  if (jump.solo === table.me) return table.t(speaker === table.me ? 'jump.own-solo' : 'web.your-solo');
  return table.t('jump.solo', { name: table.name(jump.solo) });
}

/** A jump by itself, as a heading. */
export function jumpTitle(table: Table, jump: Jump): string {
  if (typeof jump.solo !== 'number') return table.t('table.formation', { number: jump.number });
  return jump.solo === table.me ? table.t('web.my-solo') : table.t('table.solo', { name: table.name(jump.solo) });
}

export function termText(table: Table, term: Term, speaker: Seat | null = table.me): string {
  return table.t(`term.${term.pledge}`, { jump: jumpName(table, term.jump, speaker), worth: term.worth ?? 0 });
}

export function promiseText(table: Table, promised: Promised): string {
  const promise = termText(table, promised.term, promised.seat);
  if (!promised.asked) return promise;
  return table.t('exchange', { promise, asked: termText(table, promised.asked, promised.seat) });
}

export function toText(table: Table, to: Seat | null): string {
  return to === null ? table.t('to-all') : table.name(to);
}

export function points(table: Table, seat: Seat): number {
  return table.view.points.reduce((sum, run) => sum + (run[seat] ?? 0), 0);
}
