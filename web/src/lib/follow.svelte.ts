/** Keeps a list scrolled to its end while it grows, unless the reader has scrolled up. */
import type { Attachment } from 'svelte/attachments';

const NEAR = 48;

export function followEnd(size: () => number): Attachment<HTMLElement> {
  return (element) => {
    let follows = true;
    const note = (): void => {
      follows = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener('scroll', note, { passive: true });
    $effect(() => {
      size();
      if (follows) element.scrollTop = element.scrollHeight;
    });
    return () => element.removeEventListener('scroll', note);
  };
}
