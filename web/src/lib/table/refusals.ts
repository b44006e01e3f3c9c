/** Messages for refused requests: a game's reasons come in the reader's language, the server's have a code. */
import { alone } from '../../page/page_server.svelte';
import { t, words } from '../i18n.svelte';

export interface Refused {
  code: string;
  sentence: string;
}

export function errorText(refusal: Refused): string {
  const { code } = refusal;
  if (alone && code === 'not-saved') return t('page.not-saved'); // of the browser, not of a server
  if (alone && code === 'unknown-table') return t('page.unknown-table'); // others can't be reached
  const known = code !== 'illegal' && Object.hasOwn(words.shell, `refused.${code}`);
  return known ? t(`refused.${code}`) : refusal.sentence || t('refused.broken');
}
