/** Messages for refused requests: a game's reasons come in the reader's language, the server's have a code. */
import { alone } from '../../page/page_server.svelte';
import { t, words } from '../i18n.svelte';

export interface Refused {
  code: string;
  sentence: string;
}

export function errorText(refusal: Refused): string {
  const keys = [...(alone ? [`page.refused.${refusal.code}`] : []), `refused.${refusal.code}`];
  const known = keys.find((key) => refusal.code !== 'illegal' && Object.hasOwn(words.shell, key));
  return known ? t(known) : refusal.sentence || t('refused.broken');
}
