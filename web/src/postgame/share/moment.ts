/** A moment of a replay as a URL: the step and the viewer. */
import { link } from '$lib/router.svelte';
import type { Url } from '$lib/urls';
import type { Eyes } from '../../net/api';

const SEAT = /^seat-([1-9]\d*)$/; // counted as people count

export interface Moment {
  step?: number;
  eyes: Eyes;
}

/** Read the parts of an address behind a replay's code; what makes no sense is left out. */
export function momentIn(step?: string, seat?: string): Moment {
  const number = SEAT.exec(seat ?? '')?.[1];
  const eyes = number ? Number(number) - 1 : null;
  return step !== undefined && /^\d+$/.test(step) ? { step: Number(step), eyes } : { eyes };
}

/** The place of a moment behind the #. */
export function placeOf(code: string, step: number, eyes: Eyes): Url {
  return eyes === null ? link('replay', code, step) : link('replay', code, step, `seat-${eyes + 1}`);
}

/** Let the address follow what is looked at, without a step of the history for each. */
export function follow(place: Url): void {
  history.replaceState(history.state, '', place);
}
