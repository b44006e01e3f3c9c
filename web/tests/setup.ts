/** What a browser has and jsdom lacks. */
Object.defineProperty(window, 'matchMedia', {
  value: (media: string) => ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
});
