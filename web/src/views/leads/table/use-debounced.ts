import { useEffect, useState } from 'react';

const SETTLED_MS = 300;

/** The value once it has not changed for a moment: nobody searches for half a word. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), SETTLED_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
