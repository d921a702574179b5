import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { apiAction, type Call } from '../api/api-action.js';
import type { Answer, ApiClient, Input } from '../api/api-client.js';
import { continuing, watchUntil } from '../api/event-stream.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, type Terminal, UsageError } from '../command.js';
import { Progress } from '../show/progress.js';
import type { Column } from '../show/table.js';
import { hasEnded, JOB_COLUMNS, progressOf, type ScrapeJob, summaryOf } from './scrape-job.js';

type Lead = Answer<'get', '/leads'>['items'][number];

const LEAD_COLUMNS: Column<Lead>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'NAME', show: ({ name }) => name, truncates: true },
  { title: 'DOMAIN', show: ({ domain }) => domain, truncates: true },
  { title: 'EMAIL', show: ({ emails }) => emails[0], truncates: true },
  { title: 'PHONE', show: ({ phones }) => phones[0] },
  { title: 'COUNTRY', show: ({ country }) => country },
  { title: 'FOUND BY', show: ({ source_type }) => source_type },
  { title: 'ADDRESS', show: ({ address }) => address, optional: true },
];

const CRITERIA = {
  industry: { value: 'text', help: 'Kind of company, such as bakery' },
  geography: { value: 'text', help: 'Place, such as Berlin' },
  keyword: { value: 'word', help: 'Word that must describe the company', many: true },
  type: {
    value: 'type',
    help: 'Source to search: google, crunchbase, linkedin, openstreetmap, web, or a type of your workers',
    many: true,
  },
  query: { value: 'text', help: 'Search query, instead of industry, geography and keywords' },
  filter: {
    value: 'name=value',
    help: 'Setting of a source, such as country=de, company_size=11-50 or sites=["https://example.org"]',
    many: true,
  },
} as const;

const ONE = { name: 'id', min: 1, max: 1 } as const;
const ENDING = {
  csv: { value: 'file', help: 'Write the leads to this file when the search has ended; - is the standard output' },
  'no-wait': { help: 'Start the search without waiting for its end' },
} as const;

const start = apiAction({
  summary: 'Searches for companies and waits for the result',
  options: { ...CRITERIA, ...ENDING },
  notes: 'Exit code: 0 if the search completed, even if some sources failed; 1 if it failed or was cancelled.',
  async run(call) {
    const header = { 'Idempotency-Key': randomUUID() };
    return finish(call, await call.api.post('/jobs/scrape', { header, body: criteriaOf(call.values) }));
  },
});

async function finish(call: Call<typeof ENDING>, started: ScrapeJob): Promise<number> {
  const { api, values, terminal, answer } = call;
  const { id } = started;
  const hint = `\`millrace scrape show ${id}\` shows its progress.`;
  if (values['no-wait']) return answer(started, () => `Started job ${id}. ${hint}\n`);
  const job = await continuing(`Job ${id} continues. ${hint}`, () => watchJob(api, id, terminal));
  if (values.csv !== undefined)
    await downloadCsv(api, { path: '/jobs/scrape/{id}/leads', input: { path: { id } }, file: values.csv }, terminal);
  if (values.csv !== '-') answer(job, () => summaryOf(job, terminal));
  return job.status === 'completed' || job.status === 'partial' ? EXIT.done : EXIT.failed;
}

async function watchJob(api: ApiClient, id: string, terminal: Terminal): Promise<ScrapeJob> {
  const progress = new Progress(terminal);
  try {
    return await watchUntil(api, '/jobs/scrape/{id}/stream', { path: { id } }, ({ event, data: job }) => {
      if (event !== 'job') return undefined;
      progress.show(progressOf(job));
      return hasEnded(job) ? job : undefined;
    });
  } finally {
    progress.end();
  }
}

const list = apiAction({
  word: 'list',
  summary: 'Lists your searches, newest first',
  options: {
    status: {
      value: 'status',
      help: 'Filter by status',
      choices: ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'],
    },
    type: { value: 'type', help: 'Filter by source' },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const { status, type: source_type } = call.values;
    return showList(call, {
      path: '/jobs/scrape',
      input: { query: { status, source_type } },
      columns: JOB_COLUMNS,
      none: 'No searches found. `millrace scrape --type openstreetmap …` starts one.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'Shows the progress of a search',
  args: ONE,
  options: { watch: { help: 'Keep showing progress until the search has ended' } },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    const job = values.watch ? await watchJob(api, id, terminal) : await api.get('/jobs/scrape/{id}', { path: { id } });
    return answer(job, () => summaryOf(job, terminal));
  },
});

const leads = apiAction({
  word: 'leads',
  summary: 'Lists the leads of a search, or all leads if no id is given',
  args: { ...ONE, min: 0 },
  options: {
    search: { value: 'text', help: 'Search in names and domains' },
    type: { value: 'type', help: 'Filter by source' },
    country: { value: 'code', help: 'Filter by country, such as DE' },
    csv: { value: 'file', help: 'Write all leads as CSV to this file; - is the standard output' },
    ...LIST_OPTIONS,
  },
  async run(call) {
    const { api, args, values, terminal } = call;
    const [id] = args;
    const path = id === undefined ? '/leads' : '/jobs/scrape/{id}/leads';
    const query = { q: values.search, source_type: values.type, country: values.country };
    const input = { path: { id: id ?? '' }, query };
    if (values.csv === undefined)
      return showList(call, { path, input, columns: LEAD_COLUMNS, none: 'No leads found.' });
    await downloadCsv(api, { path, input, file: values.csv }, terminal);
    return EXIT.done;
  },
});

const cancel = apiAction({
  word: 'cancel',
  summary: 'Cancels a search and keeps its leads',
  args: ONE,
  options: {},
  async run({ api, args: [id = ''], terminal, answer }) {
    const job = await api.post('/jobs/scrape/{id}/cancel', { path: { id } });
    return answer(job, () => summaryOf(job, terminal));
  },
});

const rerun = apiAction({
  word: 'rerun',
  summary: 'Runs a search again, as a new job',
  args: ONE,
  options: ENDING,
  async run(call) {
    const [id = ''] = call.args;
    return finish(call, await call.api.post('/jobs/scrape/{id}/rerun', { path: { id } }));
  },
});

export const scrape: Command = {
  name: 'scrape',
  summary: 'Searches for companies and lists the leads',
  actions: [start, list, show, leads, cancel, rerun],
};

interface Criteria {
  industry: string | undefined;
  geography: string | undefined;
  keyword: string[];
  type: string[];
  query: string | undefined;
  filter: string[];
}

function criteriaOf({ industry, geography, keyword, type, query, filter }: Criteria) {
  if (!type.length) throw new UsageError('Choose a source to search with --type, such as --type openstreetmap.');
  return {
    industry,
    geography,
    keywords: keyword,
    source_types: type,
    search_query: query,
    filters: Object.fromEntries(filter.map(readFilter)),
  };
}

/** A value that is not JSON is text. */
function readFilter(text: string): [string, unknown] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--filter must be name=value, such as most=10, not \`${text}\`.`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

interface Download {
  path: '/leads' | '/jobs/scrape/{id}/leads';
  input: Input<'get', '/jobs/scrape/{id}/leads'>;
  file: string;
}

/** Streams all leads to a file or to the standard output. */
async function downloadCsv(api: ApiClient, { path, input, file }: Download, terminal: Terminal): Promise<void> {
  const { body } = await api.open(path, { ...input, query: { ...input.query, format: 'csv' } });
  const rows = Readable.fromWeb(body as ReadableStream);
  if (file === '-') {
    for await (const text of rows.setEncoding('utf8')) terminal.out(text);
    return;
  }
  try {
    await pipeline(rows, createWriteStream(file));
  } catch (error) {
    throw new UsageError(`Could not write ${file}: ${(error as Error).message}`);
  }
}
