import { z } from 'zod';
import { FetchCommand } from '../src/contracts/fetch-command.js';
import { FetchResult } from '../src/contracts/fetch-result.js';
import { SCHEMA_VERSION } from '../src/contracts/fields.js';
import { ScrapeCommand } from '../src/contracts/scrape-command.js';
import { ScrapeJobMessage } from '../src/contracts/scrape-job-message.js';
import { ScrapeJobResult } from '../src/contracts/scrape-job-result.js';
import { ScrapeResult } from '../src/contracts/scrape-result.js';

/** The messages that other services send and receive. */
export const PUBLISHED = {
  'fetch-command': {
    schema: FetchCommand,
    title: 'Fetch command',
    description:
      "Asks a worker for one page of a source's posts: the newest ones, or those from the cursor on. " +
      'The correlation id of the message is its jobId; after timestamp + timeout nobody waits for the answer.',
  },
  'fetch-result': {
    schema: FetchResult,
    title: 'Fetch result',
    description: "A worker's answer to a fetch command: posts, or the error that kept it from getting them.",
  },
  'scrape-command': {
    schema: ScrapeCommand,
    title: 'Scrape command',
    description: 'Asks a worker for one page of leads that meet the criteria.',
  },
  'scrape-result': {
    schema: ScrapeResult,
    title: 'Scrape result',
    description: "A worker's answer to a scrape command: leads, or the error that kept it from getting them.",
  },
  'scrape-job-message': {
    schema: ScrapeJobMessage,
    title: 'Scrape job',
    description:
      'A scrape job that another service hands in, or that Millrace publishes for a worker of another service. ' +
      'The same job_id again is the same job.',
  },
  'scrape-job-result': {
    schema: ScrapeJobResult,
    title: 'Scrape job result',
    description: 'What a worker that takes jobs from scrape_jobs has found: leads, and how the search is going.',
  },
} as const satisfies Record<string, { schema: z.ZodType; title: string; description: string }>;
export type Published = keyof typeof PUBLISHED;

/** The text of `contracts/<name>.schema.json`. */
export function renderSchema(name: Published): string {
  const { $schema, ...rest } = jsonSchema(name, 'draft-2020-12');
  return `${JSON.stringify({ $schema, $id: `urn:millrace:contracts:${name}:${SCHEMA_VERSION}`, ...rest }, null, 2)}\n`;
}

/** Describes what a sender may write: fields with defaults may be left out, optional ones may be null. */
export function jsonSchema(name: Published, target: 'draft-2020-12' | 'draft-7') {
  const { schema, title, description } = PUBLISHED[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target });
  return { $schema, title, description, ...rest };
}
