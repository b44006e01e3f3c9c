/** The last input modality: keyboard or pointer. */
const SILENT = ['Shift', 'Control', 'Alt', 'Meta', 'Escape']; // modifier keys do not tell the modality

class InputModality {
  keys = $state(false);

  constructor() {
    addEventListener('keydown', ({ key }) => SILENT.includes(key) || (this.keys = true), { capture: true });
    addEventListener('pointerdown', () => (this.keys = false), { capture: true });
  }
}

export const input = new InputModality();

/** Whether a key press is a shortcut: not in a field or dialog, and without modifiers. */
export function isTyped(event: KeyboardEvent): boolean {
  const { target, ctrlKey, altKey, metaKey } = event;
  const elsewhere = target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog');
  return !elsewhere && !ctrlKey && !altKey && !metaKey && !event.defaultPrevented;
}
