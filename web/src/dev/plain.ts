/** A face without a drawing, for games that have none yet and for tests of the shell. */
import type { Face } from '$lib/contract';
import Nothing from './Nothing.svelte';
import Plain from './Plain.svelte';
import PlainMark from './PlainMark.svelte';
import PlainSeat from './PlainSeat.svelte';

export function plainFace(key: string): Face {
  return {
    key,
    sheet: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    model: () => null,
    subtitle: () => '',
    Backdrop: Nothing,
    SeatCard: PlainSeat,
    Mark: PlainMark,
    Board: Plain,
    Hand: Nothing,
    Inspector: Nothing,
    panels: [],
    Ending: Nothing,
    sounds: {},
  };
}
