/** Remember where the focus is; what comes back puts it there again, if it got lost with what is gone by then. */
export function bookmark(): () => void {
  const before = document.activeElement;
  return () => {
    const lost = !document.activeElement || document.activeElement === document.body;
    if (lost && before?.isConnected && 'focus' in before) (before as HTMLElement | SVGElement).focus();
  };
}
