/** The posters are fetched by the pages that hang them, not by every table. */
import { inject } from '$lib/sprite';

export function withPosters(): void {
  void import('./art/sheet-posters.svg?raw').then(({ default: sheet }) => inject(sheet));
}
