/** Which of the three layouts of a table fits: columns, one under the other, or a phone on its side. */
import { MediaQuery } from 'svelte/reactivity';

class Screen {
  private readonly side = new MediaQuery('(orientation: landscape) and (max-height: 520px)');
  private readonly columns = new MediaQuery('min-width: 1024px');

  get size(): 'wide' | 'narrow' | 'landscape' {
    return this.side.current ? 'landscape' : this.columns.current ? 'wide' : 'narrow';
  }
}

export const screen = new Screen();
