import { z } from 'zod';
import { apiAction, type Call } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { goesOn } from '../api/goes-on.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, type Terminal, UsageError } from '../command.js';
import { linesOf, readText } from '../read-input.js';
import { colourOf } from '../show/colour.js';
import type { Column } from '../show/table.js';
import { fromNow } from '../show/times.js';
import { feedsOf, ImportView, itemsOf, summaryOf } from './import-view.js';
import { failedFeeds, watchImport } from './watch-import.js';

const ONE = { name: 'id', least: 1, most: 1 } as const;
const WAITING = { 'no-wait': { help: 'only start it, and do not wait until it has ended' } } as const;

const start = apiAction({
  summary: 'brings in feeds: addresses, a file with one address a line, or an OPML file; - is the standard input',
  args: { name: 'file|url', least: 1, most: Number.POSITIVE_INFINITY },
  options: {
    follow: { help: 'follow them, too' },
    full: { help: 'also the pages of their archives' },
    fields: { value: 'kind', help: 'what else to read of each item', choices: ['jobs'] },
    ...WAITING,
  },
  notes: 'Exit code: 0 it ended, 1 it failed (not one feed could be imported) or was cancelled.',
  async run(call) {
    const { api, args, values, terminal } = call;
    const { follow, full, fields } = values;
    const what = await whatToImport(args, terminal);
    const started = await api.post('/imports/start', { ...what, follow, full, ...(fields && { fields }) });
    return finish(call, started);
  },
});

/** Waits for the end, if that is wanted, and says what came of it. */
async function finish(call: Call<typeof WAITING>, started: unknown): Promise<number> {
  const { api, values, terminal, answer } = call;
  const { id, feeds } = read(ImportView, started);
  if (values['no-wait'])
    return answer(started, () => `Import ${id} of ${feeds.total} feeds has begun: \`millrace import show ${id}\`\n`);
  const ended = await goesOn(`Import ${id} goes on: \`millrace import show ${id}\` tells how.`, () =>
    watchImport(api, id, terminal),
  );
  const view = read(ImportView, ended);
  answer(ended, () => summaryOf(view));
  if (view.feeds.failed && !values.json) terminal.err(await failedFeeds(api, id));
  return view.status === 'completed' ? EXIT.done : EXIT.failed;
}

const COLUMNS: Column<ImportView>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'FEEDS', show: feedsOf },
  { title: 'ITEMS', show: itemsOf, cuts: true },
];

const list = apiAction({
  word: 'list',
  summary: 'lists your imports, newest first',
  options: {
    status: { value: 'status', help: 'only those that are', choices: ['running', 'completed', 'failed', 'cancelled'] },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const query = { status: call.values.status };
    const none = 'There are no imports like that. `millrace import <file>` begins one.';
    return showList(call, { path: '/imports', query, row: ImportView, columns: COLUMNS, none });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'tells how an import gets on',
  args: ONE,
  options: { watch: { help: 'until it has ended' } },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    const path = `/imports/${encodeURIComponent(id)}`;
    const view = values.watch ? await watchImport(api, encodeURIComponent(id), terminal) : await api.get(path);
    return answer(view, () => summaryOf(read(ImportView, view)));
  },
});

const FEED_STATUSES = ['queued', 'fetching', 'storing', 'done', 'failed', 'cancelled'] as const;

const Feed = z.object({
  url: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  items: ImportView.shape.items,
});

const FEED_COLUMNS: Column<z.infer<typeof Feed>>[] = [
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'FOUND', show: ({ items }) => items.found, align: 'right' },
  { title: 'NEW', show: ({ items }) => items.new, align: 'right' },
  { title: 'FEED', show: ({ url }) => url, cuts: true },
  { title: 'ERROR', show: ({ error }) => error, cuts: true },
];

const feeds = apiAction({
  word: 'feeds',
  summary: 'lists the feeds of an import',
  args: ONE,
  options: {
    status: { value: 'status', help: 'only those that are', choices: FEED_STATUSES },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const path = `/imports/${encodeURIComponent(call.args[0] ?? '')}/feeds`;
    const query = { status: call.values.status };
    return showList(call, { path, query, row: Feed, columns: FEED_COLUMNS, none: 'It has no feeds like that.' });
  },
});

const cancel = apiAction({
  word: 'cancel',
  summary: 'stops an import; what was stored stays',
  args: ONE,
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const view = await api.post(`/imports/${encodeURIComponent(id)}/cancel`);
    return answer(view, () => summaryOf(read(ImportView, view)));
  },
});

const rerun = apiAction({
  word: 'rerun',
  summary: 'runs an import again, as a new one',
  args: ONE,
  options: { failed: { help: 'only the feeds that failed' }, ...WAITING },
  async run(call) {
    const [id = ''] = call.args;
    const body = call.values.failed ? { only: 'failed' } : {};
    return finish(call, await call.api.post(`/imports/${encodeURIComponent(id)}/rerun`, body));
  },
});

export const imports: Command = {
  name: 'import',
  summary: 'brings in feeds at one go: addresses, lists, OPML; with progress',
  actions: [start, list, show, feeds, cancel, rerun],
};

type WhatToImport = { feeds: string[] } | { opml: string };

/** Addresses, files of addresses (one a line), or one OPML file. */
async function whatToImport(args: string[], terminal: Terminal): Promise<WhatToImport> {
  const parts = await Promise.all(args.map((arg) => partOf(arg, terminal)));
  const opml = parts.flatMap((part) => ('opml' in part ? part.opml : []));
  const feeds = parts.flatMap((part) => ('feeds' in part ? part.feeds : []));
  if (opml[0] !== undefined && opml.length + feeds.length === 1) return { opml: opml[0] };
  if (opml.length) throw new UsageError('an OPML file is imported by itself: give it alone');
  if (!feeds.length) throw new UsageError(`there are no addresses in ${args.join(', ')}`);
  return { feeds };
}

async function partOf(arg: string, terminal: Terminal): Promise<WhatToImport> {
  if (/^[a-z]+:\/\//i.test(arg)) return { feeds: [arg] };
  const text = (await readText(arg, terminal)).replace(/^\uFEFF/, '');
  return text.trimStart().startsWith('<') ? { opml: text } : { feeds: linesOf(text) };
}
