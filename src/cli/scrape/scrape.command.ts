import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { apiAction, type Call } from '../api/api-action.js';
import { type ApiClient, read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { goesOn } from '../api/goes-on.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, type Terminal, UsageError } from '../command.js';
import { Progress } from '../show/progress.js';
import type { Column } from '../show/table.js';
import { hasEnded, JOB_COLUMNS, progressOf, ScrapeJob, summaryOf } from './scrape-job.js';

/** A lead, as far as it is shown. */
const Lead = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  address: z.string().nullable(),
  country: z.string().nullable(),
  source_type: z.string(),
});

const LEAD_COLUMNS: Column<z.infer<typeof Lead>>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'NAME', show: ({ name }) => name, cuts: true },
  { title: 'DOMAIN', show: ({ domain }) => domain, cuts: true },
  { title: 'EMAIL', show: ({ emails }) => emails[0], cuts: true },
  { title: 'PHONE', show: ({ phones }) => phones[0] },
  { title: 'COUNTRY', show: ({ country }) => country },
  { title: 'FOUND BY', show: ({ source_type }) => source_type },
  { title: 'ADDRESS', show: ({ address }) => address, spare: true },
];

const CRITERIA = {
  industry: { value: 'text', help: 'what kind of company, such as bakery' },
  geography: { value: 'text', help: 'where, such as Berlin' },
  keyword: { value: 'word', help: 'what must be said about it', many: true },
  type: {
    value: 'type',
    help: 'where to look: google, crunchbase, linkedin, openstreetmap, web, or what your workers know',
    many: true,
  },
  query: { value: 'text', help: 'what to search for, in place of industry, geography and keywords' },
  filter: {
    value: 'name=value',
    help: 'what a place to look needs, such as sites=["https://example.org"]',
    many: true,
  },
} as const;

const ONE = { name: 'id', least: 1, most: 1 } as const;
const ENDING = {
  csv: { value: 'file', help: 'write the leads there when it has ended; - is the standard output' },
  'no-wait': { help: 'only start it, and do not wait until it has ended' },
} as const;
const pathOf = (id: string | undefined) => `/jobs/scrape/${encodeURIComponent(id ?? '')}`;

const start = apiAction({
  summary: 'searches for companies, and waits until the search has ended',
  options: { ...CRITERIA, ...ENDING },
  notes: 'Exit code: 0 it ended, if need be without some places that failed; 1 it failed or was cancelled.',
  async run(call) {
    const headers = { 'idempotency-key': randomUUID() };
    return finish(call, await call.api.post('/jobs/scrape', criteriaOf(call.values), headers));
  },
});

/** Waits for the end, if that is wanted, and says what came of it. */
async function finish(call: Call<typeof ENDING>, started: unknown): Promise<number> {
  const { api, values, terminal, answer } = call;
  const { id } = read(ScrapeJob, started);
  if (values['no-wait']) return answer(started, () => `Job ${id} has begun: \`millrace scrape show ${id}\`\n`);
  const ended = await goesOn(`Job ${id} goes on: \`millrace scrape show ${id}\` tells how.`, () =>
    watchJob(api, id, terminal),
  );
  const job = read(ScrapeJob, ended);
  if (values.csv !== undefined)
    await downloadCsv(api, { path: `${pathOf(id)}/leads`, query: {}, file: values.csv }, terminal);
  if (values.csv !== '-') answer(ended, () => summaryOf(job, terminal));
  return job.status === 'completed' || job.status === 'partial' ? EXIT.done : EXIT.failed;
}

async function watchJob(api: ApiClient, id: string, terminal: Terminal): Promise<unknown> {
  const progress = new Progress(terminal);
  try {
    return await watchUntil(api, `${pathOf(id)}/stream`, ({ event, data }) => {
      if (event !== 'job') return undefined;
      const job = read(ScrapeJob, data);
      progress.show(progressOf(job));
      return hasEnded(job) ? data : undefined;
    });
  } finally {
    progress.end();
  }
}

const STATUSES = ScrapeJob.shape.status.options;

const list = apiAction({
  word: 'list',
  summary: 'lists your searches, newest first',
  options: {
    status: { value: 'status', help: 'only those that are', choices: STATUSES },
    type: { value: 'type', help: 'only those that look there' },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const query = { status: call.values.status, source_type: call.values.type };
    const none = 'There are no searches like that. `millrace scrape --type openstreetmap …` begins one.';
    return showList(call, { path: '/jobs/scrape', query, row: ScrapeJob, columns: JOB_COLUMNS, none });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'tells how a search gets on',
  args: ONE,
  options: { watch: { help: 'until it has ended' } },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    const job = values.watch ? await watchJob(api, id, terminal) : await api.get(pathOf(id));
    return answer(job, () => summaryOf(read(ScrapeJob, job), terminal));
  },
});

const leads = apiAction({
  word: 'leads',
  summary: 'lists what a search has found, or, without its id, all that any has',
  args: { ...ONE, least: 0 },
  options: {
    search: { value: 'text', help: 'only those with this in their name or domain' },
    type: { value: 'type', help: 'only those that were found there' },
    country: { value: 'code', help: 'only those in this country, such as DE' },
    csv: { value: 'file', help: 'all of them as CSV to this file; - is the standard output' },
    ...LIST_OPTIONS,
  },
  async run(call) {
    const { api, args, values, terminal } = call;
    const path = args.length ? `${pathOf(args[0])}/leads` : '/leads';
    const query = { q: values.search, source_type: values.type, country: values.country };
    if (values.csv === undefined)
      return showList(call, { path, query, row: Lead, columns: LEAD_COLUMNS, none: 'There are no leads like that.' });
    await downloadCsv(api, { path, query, file: values.csv }, terminal);
    return EXIT.done;
  },
});

const cancel = apiAction({
  word: 'cancel',
  summary: 'stops a search; what was found stays',
  args: ONE,
  options: {},
  async run({ api, args: [id], terminal, answer }) {
    const job = await api.post(`${pathOf(id)}/cancel`);
    return answer(job, () => summaryOf(read(ScrapeJob, job), terminal));
  },
});

const rerun = apiAction({
  word: 'rerun',
  summary: 'searches again, as a new job',
  args: ONE,
  options: ENDING,
  run: async (call) => finish(call, await call.api.post(`${pathOf(call.args[0])}/rerun`)),
});

export const scrape: Command = {
  name: 'scrape',
  summary: 'searches for companies, and lists the leads that were found',
  actions: [start, list, show, leads, cancel, rerun],
};

interface Given {
  industry: string | undefined;
  geography: string | undefined;
  keyword: string[];
  type: string[];
  query: string | undefined;
  filter: string[];
}

function criteriaOf({ industry, geography, keyword, type, query, filter }: Given) {
  if (!type.length) throw new UsageError('say where to look, with --type: such as --type openstreetmap');
  return {
    ...(industry !== undefined && { industry }),
    ...(geography !== undefined && { geography }),
    keywords: keyword,
    source_types: type,
    ...(query !== undefined && { search_query: query }),
    filters: Object.fromEntries(filter.map(readFilter)),
  };
}

/** A value is JSON where it can be read as such, and text where not. */
function readFilter(text: string): [string, unknown] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--filter takes a name and a value, such as most=10, not ${text}`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

interface Wanted {
  path: string;
  query: Record<string, string | boolean | undefined>;
  file: string;
}

/** All of them, as they come, to a file or to the standard output. */
async function downloadCsv(api: ApiClient, { path, query, file }: Wanted, terminal: Terminal): Promise<void> {
  const { body } = await api.open(path, { query: { ...query, format: 'csv' } });
  const rows = Readable.fromWeb(body as ReadableStream);
  if (file === '-') {
    for await (const text of rows.setEncoding('utf8')) terminal.out(text);
    return;
  }
  try {
    await pipeline(rows, createWriteStream(file));
  } catch (error) {
    throw new UsageError(`cannot write to ${file}: ${(error as Error).message}`);
  }
}
