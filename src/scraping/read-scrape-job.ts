import type { z } from 'zod';
import { ExternalId } from '../auth/authenticator.js';
import { breaches } from '../contracts/breaches.js';
import { ScrapeJobMessage } from '../contracts/scrape-job-message.js';
import { toCriteria, UNSTORABLE, unstorableFields } from './scrape-criteria.js';
import type { ScrapeTypes } from './scrape-types.js';

const LARGEST_BYTES = 1024 * 1024;

/** What a message asks for, or where it breaks the contract. */
export type Reading = { job: ScrapeJobMessage } | { breach: string };

export function readScrapeJob(body: Buffer, types: Pick<ScrapeTypes, 'refusals'>): Reading {
  if (body.length > LARGEST_BYTES) return { breach: `message: ${body.length} bytes, ${LARGEST_BYTES} are allowed` };
  const parsed = parseJson(body);
  if (!parsed) return { breach: 'message: not JSON, written in UTF-8' };
  const checked = ScrapeJobMessage.superRefine((job, context) => {
    for (const [path, message] of troubles(job, types)) context.addIssue({ code: 'custom', path, message });
  }).safeParse(parsed.value);
  return checked.success ? { job: checked.data } : { breach: breaches(checked.error) };
}

type Trouble = [path: (string | number)[], message: string];

/** What the contract leaves to whoever receives the message. */
function troubles(job: z.infer<typeof ScrapeJobMessage>, types: Pick<ScrapeTypes, 'refusals'>): Trouble[] {
  const user = ExternalId.safeParse(job.user_id);
  const refused = types
    .refusals(job.source_types, toCriteria(job))
    .map(({ at, path, message }): Trouble => [path ? [path] : ['source_types', at], message]);
  const unstorable = unstorableFields(job).map((field): Trouble => [[field], UNSTORABLE]);
  return [
    ...(user.success ? [] : [[['user_id'], user.error.issues[0]?.message ?? 'not a user id'] satisfies Trouble]),
    ...refused,
    ...unstorable,
  ];
}

function parseJson(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}
