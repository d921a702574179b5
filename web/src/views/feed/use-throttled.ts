import { useEffect, useRef, useState } from 'react';

/** The value, changing at most once in so many milliseconds: for what is read aloud. */
export function useThrottled<Value>(value: Value, everyMs: number): Value {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, changedAt.current + everyMs - Date.now());
    const timer = window.setTimeout(() => {
      changedAt.current = Date.now();
      setShown(value);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [value, everyMs]);
  return shown;
}
