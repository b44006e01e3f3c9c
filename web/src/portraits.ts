/** The bots' portraits are fetched by the pages that show them, not by every table. */
import { inject } from '$lib/parts/sprite';

export function withPortraits(): void {
  void import('./art/sheet-bots.svg?raw').then(({ default: sheet }) => inject(sheet));
}
