import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 48.01rem)');

function watch(tell: () => void): () => void {
  wide.addEventListener('change', tell);
  return () => wide.removeEventListener('change', tell);
}

/** Whether there is room for columns; the style sheets part at the same width. */
export const useWide = (): boolean => useSyncExternalStore(watch, () => wide.matches);
