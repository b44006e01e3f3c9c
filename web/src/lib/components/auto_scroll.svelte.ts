/** Keeps a list scrolled to its end while it grows, unless the reader has scrolled up. */
import type { Attachment } from 'svelte/attachments';

const NEAR = 48;

export function autoScroll(size: () => number): Attachment<HTMLElement> {
  return (element) => {
    let follows = true;
    let at = 0;
    /** Only the reader scrolls a list up from its end; layout changes do not. */
    const note = (): void => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (left < NEAR) follows = true;
      else if (element.scrollTop < at) follows = false;
      at = element.scrollTop;
    };
    const follow = (): void => {
      if (follows) element.scrollTop = element.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener('scroll', note, { passive: true });
    $effect(() => {
      size();
      const frame = requestAnimationFrame(follow); // in the next frame, to avoid a layout for each entry
      return () => cancelAnimationFrame(frame);
    });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', note);
    };
  };
}
