/** Prints in light colours, whatever the theme. */
export function usePrintTheme(): () => void {
  const root = document.documentElement;
  let before: string | undefined;
  const begin = (): void => {
    before = root.dataset.theme;
    root.dataset.theme = 'light';
  };
  const end = (): void => {
    if (before) root.dataset.theme = before;
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
  };
}
