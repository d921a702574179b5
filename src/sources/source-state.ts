import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { fetchStates } from './fetch-states.table.js';

export const SourceState = z.enum(['active', 'paused', 'failing', 'gone']);
export type SourceState = z.infer<typeof SourceState>;

export const sourceState = sql<SourceState>`CASE
  WHEN ${fetchStates.goneAt} IS NOT NULL THEN 'gone'
  WHEN ${fetchStates.activeFollowers} = 0 THEN 'paused'
  WHEN ${fetchStates.failing} THEN 'failing'
  ELSE 'active' END`;
