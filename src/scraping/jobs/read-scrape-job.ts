import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { ExternalId } from '../../auth/authenticator.js';
import { breaches } from '../../contracts/breaches.js';
import { ScrapeJobMessage } from '../../contracts/scrape-job-message.js';
import { parseRemoteJson } from '../../platform/http/json-answer.js';
import type { ScrapeTypes } from '../scrape-types.js';
import { toCriteria, UNSTORABLE, unstorableFields } from './scrape-criteria.js';

/** Of a message. Validation names the field that breaks the contract; these only bound what it costs. */
const LIMITS = { maxBytes: 1024 * 1024, maxDepth: 1_000, maxValues: 50_000, maxItems: 20_000 };

const NOT_JSON = 'message: not JSON, written in UTF-8';

/** What a message asks for, or where it breaks the contract. */
export type Reading = { job: ScrapeJobMessage } | { breach: string };

export async function readScrapeJob(body: Buffer, types: Pick<ScrapeTypes, 'refusals'>): Promise<Reading> {
  const { maxBytes } = LIMITS;
  if (body.length > maxBytes) return { breach: `message: ${body.length} bytes, ${maxBytes} are allowed` };
  if (!isUtf8(body)) return { breach: NOT_JSON };
  const parsed = await parseRemoteJson(body, { limits: LIMITS });
  if ('breach' in parsed) return { breach: parsed.cause ? NOT_JSON : `message: ${parsed.breach}` };
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
