/** Lazy-loaded bot portraits. */
import { injectSprite } from './sprite';

export function withPortraits(): void {
  void import('../../art/sheet-bots.svg?raw').then(({ default: sheet }) => injectSprite(sheet));
}
