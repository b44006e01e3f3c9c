/** Responsive layout: three columns, one column, or a phone in landscape. */
import { MediaQuery } from 'svelte/reactivity';
import { columns, sideways, small } from './breakpoints.json';

class Screen {
  private readonly side = new MediaQuery(sideways);
  private readonly columns = new MediaQuery(columns);
  private readonly finger = new MediaQuery('pointer: coarse');
  private readonly phone = new MediaQuery(`${small}, ${sideways}`);

  /** Whether tables are only pictures on a page, with the phone layout on any screen. */
  pictures = $state(false);

  get size(): 'wide' | 'narrow' | 'landscape' {
    if (this.pictures) return 'narrow';
    return this.side.current ? 'landscape' : this.columns.current ? 'wide' : 'narrow';
  }
  /** Whether the screen is as small as a phone, in portrait or landscape. */
  get small(): boolean {
    return this.pictures || this.phone.current;
  }
  /** Whether the main pointer is touch. */
  get touch(): boolean {
    return this.finger.current;
  }
}

export const screen = new Screen();
