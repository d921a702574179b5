import { useEffect, useRef, useState } from 'react';

/** The value, updated at most once every `intervalMs`. */
export function useThrottled<Value>(value: Value, intervalMs: number): Value {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, changedAt.current + intervalMs - Date.now());
    const timer = window.setTimeout(() => {
      changedAt.current = Date.now();
      setShown(value);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [value, intervalMs]);
  return shown;
}
