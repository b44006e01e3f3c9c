/** Words for what is refused: the game's reasons come in the reader's language, the server's own have a code. */
import { t, words } from './i18n.svelte';

export interface Refused {
  code: string;
  sentence: string;
}

export function worded(refusal: Refused): string {
  const key = `refused.${refusal.code}`;
  return refusal.code !== 'illegal' && key in words.shell ? t(key) : refusal.sentence || t('refused.broken');
}
