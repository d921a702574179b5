import type { z } from 'zod';
import { ExternalId } from '../auth/authenticator.js';
import { breaches } from '../contracts/breaches.js';
import { ScrapeJobMessage } from '../contracts/scrape-job-message.js';
import { isStorable } from '../platform/queue/storable.js';

const LARGEST_BYTES = 1024 * 1024;

/** What a message asks for, or where it breaks the contract. */
export type Reading = { job: ScrapeJobMessage } | { breach: string };

export function readScrapeJob(body: Buffer, sourceTypes: ReadonlySet<string>): Reading {
  if (body.length > LARGEST_BYTES) return { breach: `message: ${body.length} bytes, ${LARGEST_BYTES} are allowed` };
  const parsed = parseJson(body);
  if (!parsed) return { breach: 'message: not JSON, written in UTF-8' };
  const checked = ScrapeJobMessage.superRefine((job, context) => {
    for (const [path, message] of troubles(job, sourceTypes)) context.addIssue({ code: 'custom', path, message });
  }).safeParse(parsed.value);
  return checked.success ? { job: checked.data } : { breach: breaches(checked.error) };
}

type Trouble = [path: (string | number)[], message: string];

/** What the contract leaves to whoever receives the message. */
function troubles(job: z.infer<typeof ScrapeJobMessage>, sourceTypes: ReadonlySet<string>): Trouble[] {
  const user = ExternalId.safeParse(job.user_id);
  const unknown = job.source_types.flatMap((type, at): Trouble[] =>
    sourceTypes.has(type)
      ? []
      : [[['source_types', at], `"${type}" is not known here; known are ${[...sourceTypes].join(', ')}`]],
  );
  const unstorable = Object.entries(job).flatMap(([field, value]): Trouble[] =>
    isStorable(value) ? [] : [[[field], 'holds NUL characters or halves of surrogate pairs, or is nested too deeply']],
  );
  return [
    ...(user.success ? [] : [[['user_id'], user.error.issues[0]?.message ?? 'not a user id'] satisfies Trouble]),
    ...unknown,
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
