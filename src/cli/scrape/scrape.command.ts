import { randomUUID } from 'node:crypto';
import { apiAction, type Call } from '../api/api-action.js';
import { type ApiClient, read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { goesOn } from '../api/goes-on.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, type Terminal } from '../command.js';
import { Progress } from '../show/progress.js';
import { CRITERIA, criteriaOf } from './criteria.js';
import { downloadCsv, LEAD_COLUMNS, Lead } from './leads.js';
import { hasEnded, JOB_COLUMNS, progressOf, ScrapeJob, summaryOf } from './scrape-job.js';

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
