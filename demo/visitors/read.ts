import { z } from 'zod';
import { again, type Circumstances } from './again.js';
import type { Visitor } from './visitor.js';

const READ_INTERVAL_MS = 12_000;
const REFRESH_INTERVAL_MS = 25_000;

/** Reads the timeline again and again, which makes Millrace fetch sources that are out of date. */
export function keepReading(reader: Visitor, around: Circumstances): Promise<never> {
  return again(READ_INTERVAL_MS, () => reader.get('feed?limit=20'), around);
}

/** Refreshes sources that fail, without waiting for their next fetch. */
export function keepRefreshing(reader: Visitor, sources: string[], around: Circumstances): Promise<never> {
  const refresh = async () => {
    for (const source of sources) await reader.post('feed/refresh', { source }, z.unknown());
  };
  return again(REFRESH_INTERVAL_MS, refresh, around);
}
