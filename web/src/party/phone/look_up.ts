/** What a phone shows while its player should watch the big screen. */
import { list, t } from '$lib/i18n.svelte';
import type { Table } from '$lib/table/table.svelte';

/** Who is choosing; '' during animations, or if nobody may act. */
export function whoIsChoosing(table: Table): string {
  const waited = (table.ui.awaitedSeats?.(table) ?? table.actors).filter((seat) => seat !== table.me);
  if (!waited.length || table.animating) return '';
  return t('look-up', { count: waited.length, names: list(waited.map((seat) => table.name(seat))) });
}
