import { z } from 'zod';
import { canParseUrl } from '../../../platform/can-parse-url.js';
import { PublishFailure } from '../../platform.js';
import { type Graph, type GraphRead, readGraph } from './graph-api.js';

/** The platform's clock may be behind ours by this much (ms). */
const CLOCK_MARGIN_MS = 2 * 60_000;
/** The search stops after this many pages, which are thousands of posts since the first attempt. */
const MAX_PAGES = 50;

interface Listed {
  id: string;
  at: Date;
}

/** Facebook and Instagram write times as `2030-01-01T00:00:00+0000`. */
export const GraphTime = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => !Number.isNaN(at.getTime()), 'a time');

export async function* listedSince<T extends Listed>(
  graph: Graph,
  { path, params, item }: GraphRead & { item: z.ZodType<T> },
  intendedAt: Date,
): AsyncGenerator<T> {
  const since = intendedAt.getTime() - CLOCK_MARGIN_MS;
  const page = z.object({ data: z.array(item), paging: z.object({ next: z.string().nullish() }).nullish() });
  let onwards: Record<string, string> = {};
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { data, paging } = await readGraph(graph, { path, params: { ...onwards, ...params } }, page);
    const young = data.filter(({ at }) => at.getTime() >= since);
    yield* young;
    // A single post may be out of order; the listing ends at a whole page of older posts.
    if (!paging?.next || !young.length) return;
    onwards = paramsOf(paging.next, graph);
  }
  throw new PublishFailure('UNAVAILABLE', `${graph.place} lists more posts since then than can be read`);
}

/** The address of the next page contains the token and an unchecked host, so only its parameters are used. */
function paramsOf(next: string, { place }: Graph): Record<string, string> {
  const url = canParseUrl(next) ? new URL(next) : undefined;
  if (!url) throw new PublishFailure('UNAVAILABLE', `${place} names a next page that is no address`);
  url.searchParams.delete('access_token');
  return Object.fromEntries(url.searchParams);
}

export function closestTo<T extends Listed>(intendedAt: Date, alike: T[]): T | undefined {
  const distance = ({ at }: T) => Math.abs(at.getTime() - intendedAt.getTime());
  return alike.toSorted((a, b) => distance(a) - distance(b))[0];
}
