import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 48.01rem)');

function watch(notify: () => void): () => void {
  wide.addEventListener('change', notify);
  return () => wide.removeEventListener('change', notify);
}

/** The same breakpoint as in the style sheets. */
export const useWide = (): boolean => useSyncExternalStore(watch, () => wide.matches);
