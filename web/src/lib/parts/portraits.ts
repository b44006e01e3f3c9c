/** The bots' portraits are fetched by what shows them, not by every page. */
import { inject } from './sprite';

export function withPortraits(): void {
  void import('../../art/sheet-bots.svg?raw').then(({ default: sheet }) => inject(sheet));
}
