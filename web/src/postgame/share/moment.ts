/** A moment of a replay as a URL: the step and the viewer. */
import { link } from '$lib/router.svelte';
import type { Url } from '$lib/urls';
import type { Eyes } from '../../net/api';

const SEAT = /^seat-([1-9]\d*)$/; // numbered from 1

export interface Moment {
  step?: number;
  eyes: Eyes;
}

/** Parse the parts of a replay's address after its code; invalid ones are ignored. */
export function parseMoment(step?: string, seat?: string): Moment {
  const number = SEAT.exec(seat ?? '')?.[1];
  const eyes = number ? Number(number) - 1 : null;
  return step !== undefined && /^\d+$/.test(step) ? { step: Number(step), eyes } : { eyes };
}

/** Hash path of a moment. */
export function momentUrl(code: string, step: number, eyes: Eyes): Url {
  return eyes === null ? link('replay', code, step) : link('replay', code, step, `seat-${eyes + 1}`);
}

/** Update the address without a history entry. */
export function replaceAddress(place: Url): void {
  history.replaceState(history.state, '', place);
}
