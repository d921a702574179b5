import type { Database } from '../../src/platform/database/database.js';
import {
  type Content,
  type MediaFile,
  type PlatformConfig,
  type PlatformTools,
  PublishFailure,
} from '../../src/publishing/platform.js';
import { outgoingClient } from '../harness/outgoing.js';
import type { Fault } from './faulty-api.js';

interface Choices {
  config?: Partial<PlatformConfig>;
  /** Files that can be fetched, by their address. */
  media?: Record<string, MediaFile>;
  /** Timeout of a call in milliseconds. */
  patienceMs?: number;
}

/** The tools of a platform. Every API is at an address where nothing listens unless the test sets one. */
export function publishingTools(database: Database, { config, media = {}, patienceMs }: Choices = {}): PlatformTools {
  const client = outgoingClient(database);
  const patience = patienceMs && { timeouts: { headers: patienceMs, total: patienceMs } };
  return {
    http: {
      get: (url, options) => client.get(url, { ...options, ...patience }),
      request: (url, options) => client.request(url, { ...options, ...patience }),
    },
    config: {
      facebookUrl: 'http://facebook.invalid/',
      instagramUrl: 'http://instagram.invalid/',
      linkedinUrl: 'http://linkedin.invalid/',
      youtubeApiUrl: 'http://youtube.invalid/',
      googleTokenUrl: 'http://google.invalid/token',
      ...config,
    },
    async media(url) {
      const file = media[url];
      if (!file) throw new PublishFailure('REFUSED', 'there is no such file');
      return file;
    },
    pause: async () => undefined,
    now: () => new Date(),
    signal: new AbortController().signal,
  };
}

export const content = (given: Partial<Content> = {}): Content => ({ text: '', mediaUrls: [], ...given });

/** Returns the failure that the work ends with, which must be a PublishFailure. */
export async function failureOf(work: Promise<unknown>): Promise<PublishFailure> {
  const outcome = await work.then(
    (value) => new Error(`it did not fail, but came to ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof PublishFailure) return outcome;
  throw outcome;
}

/** Returns the failure code of a fault in a call that publishes nothing. */
export function codeOfHarmless(fault: Fault) {
  if (fault === 'too many') return 'RATE_LIMITED';
  return fault === 'no JSON after' ? 'UNAVAILABLE' : 'UNREACHABLE';
}

/** Everything that an error says, including its causes. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${error.cause === undefined ? '' : wordsOf(error.cause)}`;
}
