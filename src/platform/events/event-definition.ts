import type { z } from 'zod';

/** A kind of news that crosses processes. Its data must be small: PostgreSQL carries at most 8,000 bytes. */
export interface EventDefinition<Data> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
}

export function defineEvent<Data>(name: string, data: z.ZodType<Data>): EventDefinition<Data> {
  return { name, data };
}
