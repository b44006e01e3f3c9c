/** Whether the table is as small as a phone's, upright or on its side. */
import { MediaQuery } from 'svelte/reactivity';

const phone = new MediaQuery('(max-width: 599px), (orientation: landscape) and (max-height: 520px)');

export function isSmall(): boolean {
  return phone.current;
}
