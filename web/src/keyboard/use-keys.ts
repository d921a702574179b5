import { useEffect, useEffectEvent } from 'react';

/** What keys do, by their name; `g f` is two of them in a row. */
type Keys = Record<string, () => void>;
type Hear = (name: string) => boolean;

const PREFIX = 'g';
const SECOND_KEY_MS = 1_500;

/** What was shown last hears first. */
const listeners: Hear[] = [];
let prefixAt = Number.NEGATIVE_INFINITY;

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || isTaken(event)) return;
  const second = performance.now() - prefixAt < SECOND_KEY_MS;
  prefixAt = event.key === PREFIX && !second ? performance.now() : Number.NEGATIVE_INFINITY;
  const name = second ? `${PREFIX} ${event.key}` : event.key;
  if (listeners.some((hear) => hear(name))) event.preventDefault();
});

/** Calls what a key stands for, unless somebody types, a dialog is open, or a modifier is held. */
export function useKeys(keys: Keys): void {
  const hear = useEffectEvent((name: string) => {
    const act = keys[name];
    act?.();
    return act !== undefined;
  });
  useEffect(() => {
    const listener: Hear = (name) => hear(name);
    listeners.unshift(listener);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  }, []);
}

function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
