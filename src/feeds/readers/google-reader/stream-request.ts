import { decodeCursor, encodeCursor } from '../../../platform/api/list-query.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import { type StreamFilter, StreamPosition, type StreamRequest } from '../core/item-streams.js';
import type { ReaderFeed } from '../core/reader-feeds.js';
import { filterOf, parseStream } from './stream-id.js';

const DEFAULT_LIMIT = 20;

/** Undefined if no item can match. */
export function streamRequest(
  stream: string,
  form: URLSearchParams,
  { maxLimit, feeds }: { maxLimit: number; feeds: ReaderFeed[] },
): StreamRequest | undefined {
  const filter = filterIn(stream, form, feeds);
  return (
    filter && {
      ...filter,
      foundSince: timeIn(form.get('ot')),
      foundBefore: timeIn(form.get('nt')),
      order: 'item',
      direction: form.get('r') === 'o' ? 'asc' : 'desc',
      limit: limitIn(form.get('n'), maxLimit),
      after: positionIn(form.get('c')),
    }
  );
}

export const continuationOf = (position: StreamPosition) => encodeCursor(position);

/** Each stream narrows the ones before it. `xt` excludes read or starred items. Other exclusions have no meaning here. */
function filterIn(stream: string, form: URLSearchParams, feeds: ReaderFeed[]): StreamFilter | undefined {
  const included = [stream, ...form.getAll('it')].map((text) => filterOf(parseStream(text), feeds));
  const excluded = form.getAll('xt').map((text) => {
    const { read, starred } = filterOf(parseStream(text), feeds) ?? {};
    return { ...(read !== undefined && { read: !read }), ...(starred !== undefined && { starred: !starred }) };
  });
  let filter: StreamFilter | undefined = {};
  for (const narrowing of [...included, ...excluded]) filter = filter && narrowing && bothOf(filter, narrowing);
  return filter;
}

function bothOf(filter: StreamFilter, narrowing: StreamFilter): StreamFilter | undefined {
  for (const [name, value] of Object.entries(narrowing)) {
    const known = filter[name as keyof StreamFilter];
    if (known !== undefined && known !== value) return undefined;
  }
  return Object.assign({}, filter, narrowing);
}

/** Most clients send seconds, some milliseconds or microseconds. */
export function timeIn(text: string | null): Date | undefined {
  if (!text || !/^\d{1,18}$/.test(text) || /^0+$/.test(text)) return undefined;
  const ms = text.length >= 16 ? Number(text) / 1_000 : text.length >= 13 ? Number(text) : Number(text) * 1_000;
  return new Date(Math.ceil(ms));
}

function limitIn(text: string | null, maxLimit: number): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, maxLimit) : DEFAULT_LIMIT;
}

function positionIn(text: string | null): StreamPosition | undefined {
  if (!text) return undefined;
  const position = StreamPosition.safeParse(decodeCursor(text));
  if (position.success) return position.data;
  throw new ApiError('bad_request', 'The continuation is not one of this server.');
}
