/** Responsive layout: three columns, one column, or a phone in landscape. */
import { MediaQuery } from 'svelte/reactivity';
import { columns, sideways, small } from './breakpoints.json';

class Screen {
  private readonly side = new MediaQuery(sideways);
  private readonly columns = new MediaQuery(columns);
  private readonly finger = new MediaQuery('pointer: coarse');
  private readonly phone = new MediaQuery(`${small}, ${sideways}`);

  /** Whether tables are only pictures on a page, and have no more room than on a phone, whatever the screen. */
  pictures = $state(false);

  get size(): 'wide' | 'narrow' | 'landscape' {
    if (this.pictures) return 'narrow';
    return this.side.current ? 'landscape' : this.columns.current ? 'wide' : 'narrow';
  }
  /** Whether there is no more room than on a phone, upright or on its side. */
  get small(): boolean {
    return this.pictures || this.phone.current;
  }
  /** Whether people mostly tap. */
  get touch(): boolean {
    return this.finger.current;
  }
}

export const screen = new Screen();
