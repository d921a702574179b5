import { useEffect, useState } from 'react';

/** The time now, each second while something goes on. */
export function useSecond(goesOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!goesOn) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [goesOn]);
  return now;
}
