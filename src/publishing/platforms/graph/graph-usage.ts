import { z } from 'zod';

const HEADER = 'x-business-use-case-usage';
const MAX_WAIT_MINUTES = 24 * 60;

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().nullish().catch(undefined) })),
);

/** Returns when a throttled page or account may make calls again, if the header says so in whole minutes. */
export function regainsAccessAt(headers: Record<string, string>, now: Date): Date | undefined {
  const uses = Object.values(usageOf(headers[HEADER]) ?? {}).flat();
  const minutes = Math.max(0, ...uses.map((use) => use.estimated_time_to_regain_access ?? 0));
  return minutes > 0 ? new Date(now.getTime() + Math.min(minutes, MAX_WAIT_MINUTES) * 60_000) : undefined;
}

function usageOf(header: string | undefined): z.infer<typeof Usage> | undefined {
  if (header === undefined) return undefined;
  try {
    return Usage.safeParse(JSON.parse(header)).data;
  } catch {
    return undefined;
  }
}
