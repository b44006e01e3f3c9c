import { words } from '$lib/i18n.svelte';

/** A number of megabytes with one decimal, as the reader writes it. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString(words.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
