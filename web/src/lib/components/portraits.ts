/** Lazy-loaded bot portraits. */
import { inject } from './sprite';

export function withPortraits(): void {
  void import('../../art/sheet-bots.svg?raw').then(({ default: sheet }) => inject(sheet));
}
