/** Groups the promises about a jump by player. */
import type { Seat } from '$lib/contract';
import { sameJump } from '../model/cards';
import type { Pledge } from '../hand/promise_form.svelte';
import type { Jump, Promised } from '../model/wire';

export interface Saying {
  seat: Seat;
  jump: Jump;
  presence: Pledge | null; // latest pledge: in, if needed, or out
  worth: number; // minimum value of figures
  harmless: boolean;
  secret: boolean; // contains a private promise
}

export function sayingsAbout(promises: readonly Promised[], jump: Jump): Saying[] {
  const about = promises.filter((promised) => sameJump(promised.term.jump, jump));
  return [...new Set(about.map((promised) => promised.seat))].map((seat) => gather(about, seat, jump));
}

function gather(about: readonly Promised[], seat: Seat, jump: Jump): Saying {
  const own = about.filter((promised) => promised.seat === seat);
  const last = (pledges: Pledge[]): Promised | undefined => own.findLast((one) => pledges.includes(one.term.pledge));
  return {
    seat,
    jump,
    presence: last(['sure', 'maybe', 'out'])?.term.pledge ?? null,
    worth: last(['figures'])?.term.worth ?? 0,
    harmless: last(['harmless']) !== undefined,
    secret: own.some((promised) => promised.to !== null),
  };
}
