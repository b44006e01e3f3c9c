/** Restores focus to an element that was removed and came back. */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    if (isFocusLost() && before?.isConnected && 'focus' in before) (before as HTMLElement | SVGElement).focus();
  };
}

export function isFocusLost(): boolean {
  return !document.activeElement || document.activeElement === document.body;
}

/** Default targets of the focus: a control, the board, the prompt. */
const SOMEWHERE = [
  '.hand > :not(.hand-line) button:not(:disabled, [aria-disabled=true], [tabindex="-1"], .dead)',
  '.board [tabindex="0"], .board button:not(:disabled, [tabindex="-1"])',
  '.prompt',
];

/** Focus a place of the table; without one, only move a focus that was lost. */
export function moveFocus(root: HTMLElement | null, place: string | null): void {
  if (!root) return; // the table was closed meanwhile
  const wanted = place && root.querySelector<HTMLElement>(`[data-at="${place}"]`);
  if (wanted) return wanted.focus();
  if (!isFocusLost()) return;
  for (const selector of SOMEWHERE) {
    const found = [...root.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility?.() ?? true);
    if (found) return found.focus();
  }
}
