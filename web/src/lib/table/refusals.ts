/** Messages for refused requests: a game's reasons come in the reader's language, the server's have a code. */
import { t, words } from '../i18n.svelte';

export interface Refused {
  code: string;
  sentence: string;
}

export function errorText(refusal: Refused): string {
  const known = refusal.code !== 'illegal' && Object.hasOwn(words.shell, `refused.${refusal.code}`);
  return known ? t(`refused.${refusal.code}`) : refusal.sentence || t('refused.broken');
}
