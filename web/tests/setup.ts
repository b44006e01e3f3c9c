/** What a browser has and jsdom lacks: nothing is ever resized here, and nothing lies under a pointer. */
import { webcrypto } from 'node:crypto';
import { DecompressionStream } from 'node:stream/web';

Object.defineProperty(window, 'crypto', { value: webcrypto, configurable: true });
Object.defineProperty(window, 'DecompressionStream', { value: DecompressionStream, configurable: true });
Object.defineProperty(window, 'matchMedia', {
  value: (media: string) => ({ media, matches: false, addEventListener: () => {}, removeEventListener: () => {} }),
});
document.elementFromPoint ??= () => null;
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
globalThis.CSS ??= { escape: (name: string) => name.replace(/[^\w-]/g, '\\$&') } as unknown as typeof CSS;
