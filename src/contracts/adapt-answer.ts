import { RemoteErrorCode } from './remote-error.js';

/** An answer in the published form, with one note for each way in which the worker's own form differed. */
interface AdaptedAnswer {
  message: unknown;
  /** What the worker should rather send. The texts are few, whatever a worker sends, so that each can be logged once. */
  preferred: string[];
}

type Fields = Record<string, unknown>;

const FIELDS = {
  answer: ['schemaVersion', 'jobId', 'sourceId', 'processingTime'],
  data: ['nextCursor', 'hasMore'],
  post: ['externalId', 'contentFormat', 'mediaUrls', 'publishedAt'],
  author: ['displayName', 'avatarUrl'],
  metadata: ['totalAvailable', 'fetchedCount', 'skippedCount'],
  details: ['retryAfterSeconds'],
};
const IDS = ['jobId', 'sourceId', 'externalId', 'nextCursor'];
const TIMES = ['timestamp', 'publishedAt'];

/** A date and a time of day, as `isoformat()` and `str()` of Python write them, with or without an offset. */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?: ?(Z|[+-]\d{2}):?(\d{2})?)?$/i;

const MAX_WAIT_SECONDS = 31_536_000;

/** Brings what a worker unambiguously means into the published form. Everything else is left for the contract to refuse. */
export function adaptAnswer(message: unknown): AdaptedAnswer {
  const preferred = new Set<string>();
  const answer = adaptFields(message, { names: FIELDS.answer, preferred });
  if (!isFields(answer)) return { message, preferred: [] };
  if (isFields(answer.data)) answer.data = adaptData(answer.data, preferred);
  if (isFields(answer.error)) answer.error = adaptError(answer.error, preferred);
  return { message: answer, preferred: [...preferred] };
}

function adaptData(given: Fields, preferred: Set<string>): Fields {
  const data = adaptFields(given, { names: FIELDS.data, preferred }) as Fields;
  if (Array.isArray(data.posts)) data.posts = data.posts.map((post) => adaptPost(post, preferred));
  data.metadata = adaptFields(data.metadata, { names: FIELDS.metadata, preferred });
  return data;
}

function adaptPost(given: unknown, preferred: Set<string>): unknown {
  const post = adaptFields(given, { names: FIELDS.post, preferred });
  if (isFields(post)) post.author = adaptFields(post.author, { names: FIELDS.author, preferred });
  return post;
}

function adaptError(given: Fields, preferred: Set<string>): Fields {
  const error = { ...given };
  error.details = adaptDetails(error.details, preferred);
  if (typeof error.code === 'string' && !RemoteErrorCode.safeParse(error.code).success) {
    preferred.add('an error.code of the contract; others count as UNKNOWN_ERROR');
    // The code of the worker stands in for an empty message, because the followers of a source see only the message.
    error.message = error.message || error.code;
    error.details = Object.assign({}, error.details, { unknownCode: error.code });
    error.code = 'UNKNOWN_ERROR';
  }
  return error;
}

function adaptDetails(given: unknown, preferred: Set<string>): unknown {
  if (given === undefined || given === null) return given;
  if (!isFields(given)) {
    preferred.add('an object as error.details');
    return { value: given };
  }
  const details = adaptFields(given, { names: FIELDS.details, preferred }) as Fields;
  const { retryAfterSeconds } = details;
  if (retryAfterSeconds === undefined || retryAfterSeconds === null || isWait(retryAfterSeconds)) return details;
  const seconds = typeof retryAfterSeconds === 'string' && retryAfterSeconds.trim() ? Number(retryAfterSeconds) : -1;
  preferred.add('a number of seconds as error.details.retryAfterSeconds');
  details.retryAfterSeconds = isWait(seconds) ? seconds : undefined;
  return details;
}

const isWait = (value: unknown) => typeof value === 'number' && value >= 0 && value <= MAX_WAIT_SECONDS;

interface Adaptation {
  names: readonly string[];
  preferred: Set<string>;
}

function adaptFields(given: unknown, { names, preferred }: Adaptation): unknown {
  if (!isFields(given)) return given;
  const fields = { ...given };
  for (const name of names) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (fields[name] !== undefined || fields[snake] === undefined) continue;
    fields[name] = fields[snake];
    delete fields[snake];
    preferred.add(`${name} instead of ${snake}`);
  }
  for (const name of IDS) {
    // Larger numbers have lost digits on their way through JSON, and two ids could become one.
    if (!Number.isSafeInteger(fields[name])) continue;
    fields[name] = String(fields[name]);
    preferred.add(`${name} as text`);
  }
  for (const name of TIMES) {
    const time = withZone(fields[name]);
    if (time === fields[name]) continue;
    fields[name] = time;
    preferred.add(`${name} as 2026-01-31T12:00:00Z; a time without a zone counts as UTC`);
  }
  return fields;
}

function withZone(time: unknown): unknown {
  const [, day, timeOfDay, zone = 'Z', minutes = '00'] = (typeof time === 'string' && LOCAL_TIME.exec(time)) || [];
  if (!day) return time;
  return `${day}T${timeOfDay}${zone.toUpperCase() === 'Z' ? 'Z' : `${zone}:${minutes}`}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
