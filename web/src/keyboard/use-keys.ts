import { useEffect, useEffectEvent } from 'react';

/** Handlers by key name; `g f` means `g` followed by `f`. */
type Keys = Record<string, () => void>;
type Listener = (name: string) => boolean;

const PREFIX = 'g';
const SECOND_KEY_MS = 1_500;

/** The component that was mounted last comes first. */
const listeners: Listener[] = [];
let prefixAt = Number.NEGATIVE_INFINITY;

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || isTaken(event)) return;
  const second = performance.now() - prefixAt < SECOND_KEY_MS;
  prefixAt = event.key === PREFIX && !second ? performance.now() : Number.NEGATIVE_INFINITY;
  const name = second ? `${PREFIX} ${event.key}` : event.key;
  if (listeners.some((handle) => handle(name))) event.preventDefault();
});

/** Shortcuts are ignored while the user types, a dialog is open or a modifier key is held. */
export function useKeys(keys: Keys): void {
  const handle = useEffectEvent((name: string) => {
    const act = keys[name];
    act?.();
    return act !== undefined;
  });
  useEffect(() => {
    const listener: Listener = (name) => handle(name);
    listeners.unshift(listener);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  }, []);
}

function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
