import { z } from 'zod';
import { again, type Circumstances } from './again.js';
import type { Visitor } from './visitor.js';

const EVERY_MS = 12_000;
const REFRESH_EVERY_MS = 25_000;

/** Somebody who looks at their timeline again and again: what they follow is fetched anew when it has become old. */
export function keepReading(reader: Visitor, around: Circumstances): Promise<never> {
  return again(EVERY_MS, () => reader.get('feed?limit=20'), around);
}

/** Somebody who does not wait until a source that failed has its turn. */
export function keepRefreshing(reader: Visitor, sources: string[], around: Circumstances): Promise<never> {
  const refresh = async () => {
    for (const source of sources) await reader.post('feed/refresh', { source }, z.unknown());
  };
  return again(REFRESH_EVERY_MS, refresh, around);
}
