import { apiAction, type Call } from './api/api-action.js';
import type { Answer, ApiClient } from './api/api-client.js';
import { continuing, watchUntil } from './api/event-stream.js';
import { LIST_OPTIONS, readList, showList } from './api/list.js';
import { type Command, EXIT, type Terminal, UsageError } from './command.js';
import { linesOf, readText } from './read-input.js';
import { Progress } from './show/progress.js';
import { type Column, facts } from './show/table.js';
import { colourOf, printable } from './show/text.js';
import { fromNow, howLong, localTime } from './show/times.js';

type Import = Answer<'get', '/imports/{id}'>;
type ImportedFeed = Answer<'get', '/imports/{id}/feeds'>['items'][number];

const ONE = { name: 'id', min: 1, max: 1 } as const;
const WAITING = { 'no-wait': { help: 'Start the import without waiting for its end' } } as const;
/** More failed feeds than this are left to `millrace import feeds`. */
const MAX_SHOWN = 20;

const start = apiAction({
  summary:
    'Imports feeds from addresses, a file with one address per line, or an OPML file; - reads the standard input',
  args: { name: 'file|url', min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    follow: { help: 'Also follow the feeds' },
    full: { help: 'Also import the pages of their archives' },
    fields: { value: 'kind', help: 'Extra fields to read from each item', choices: ['jobs'] },
    ...WAITING,
  },
  notes: 'Exit code: 0 if the import completed, 1 if it was cancelled or no feed could be imported.',
  async run(call) {
    const { api, args, values, terminal } = call;
    const { follow, full, fields } = values;
    const body = { ...(await feedsIn(args, terminal)), follow, full };
    return finish(call, await api.post('/imports/start', { query: { fields }, body }));
  },
});

async function finish(call: Call<typeof WAITING>, started: Import): Promise<number> {
  const { api, values, terminal, answer } = call;
  const { id, feeds } = started;
  if (values['no-wait'])
    return answer(
      started,
      () => `Started import ${id} of ${feeds.total} feeds. \`millrace import show ${id}\` shows its progress.\n`,
    );
  const ended = await continuing(`Import ${id} continues. \`millrace import show ${id}\` shows its progress.`, () =>
    watchImport(api, id, terminal),
  );
  answer(ended, () => summaryOf(ended));
  if (ended.feeds.failed && !values.json) terminal.err(await failedFeeds(api, id));
  return ended.status === 'completed' ? EXIT.done : EXIT.failed;
}

/** Shows progress until the import has ended. */
async function watchImport(api: ApiClient, id: string, terminal: Terminal): Promise<Import> {
  const progress = new Progress(terminal);
  try {
    return await watchUntil(api, '/imports/{id}/stream', { path: { id } }, ({ event, data: view }) => {
      if (event !== 'import') return undefined;
      const { total, done, failed } = view.feeds;
      const text = `${feedCounts(view)} feeds; ${view.items.found} items found, ${view.items.new} new`;
      progress.show({ done: done + failed, total, text });
      return view.status === 'running' ? undefined : view;
    });
  } finally {
    progress.end();
  }
}

async function failedFeeds(api: ApiClient, id: string): Promise<string> {
  const input = { path: { id }, query: { status: 'failed' as const } };
  const { items, nextCursor } = await readList(api, '/imports/{id}/feeds', input, MAX_SHOWN);
  const lines = items.map(({ url, error }) => printable(`${url}: ${error ?? 'failed'}`));
  if (nextCursor !== null) lines.push(`… \`millrace import feeds ${id} --status failed --all\` lists all of them.`);
  return lines.map((line) => `${line}\n`).join('');
}

const feedCounts = ({ feeds: { total, done, failed } }: Import) =>
  `${done} of ${total} done${failed ? `, ${failed} failed` : ''}`;

const itemCounts = ({ items }: Import) =>
  [
    `${items.found} found: ${items.new} new, ${items.updated} updated, ${items.unchanged} unchanged`,
    items.failed && `${items.failed} failed`,
  ]
    .filter(Boolean)
    .join(', ');

function summaryOf(view: Import): string {
  const { id, status, startedAt, completedAt, duplicateFeeds } = view;
  return facts([
    ['import', id],
    ['status', status],
    ['feeds', feedCounts(view)],
    ['duplicates', duplicateFeeds || undefined],
    ['items', itemCounts(view)],
    ['started', localTime(startedAt)],
    ['duration', completedAt && howLong((Date.parse(completedAt) - Date.parse(startedAt)) / 1_000)],
  ]);
}

const COLUMNS: Column<Import>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'FEEDS', show: feedCounts },
  { title: 'ITEMS', show: itemCounts, truncates: true },
];

const list = apiAction({
  word: 'list',
  summary: 'Lists your imports, newest first',
  options: {
    status: { value: 'status', help: 'Filter by status', choices: ['running', 'completed', 'failed', 'cancelled'] },
    ...LIST_OPTIONS,
  },
  run: (call) =>
    showList(call, {
      path: '/imports',
      input: { query: { status: call.values.status } },
      columns: COLUMNS,
      none: 'No imports found. `millrace import <file>` starts one.',
    }),
});

const show = apiAction({
  word: 'show',
  summary: 'Shows the progress of an import',
  args: ONE,
  options: { watch: { help: 'Keep showing progress until the import has ended' } },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    const view = values.watch ? await watchImport(api, id, terminal) : await api.get('/imports/{id}', { path: { id } });
    return answer(view, () => summaryOf(view));
  },
});

const FEED_COLUMNS: Column<ImportedFeed>[] = [
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'FOUND', show: ({ items }) => items.found, align: 'right' },
  { title: 'NEW', show: ({ items }) => items.new, align: 'right' },
  { title: 'FEED', show: ({ url }) => url, truncates: true },
  { title: 'ERROR', show: ({ error }) => error, truncates: true },
];

const feeds = apiAction({
  word: 'feeds',
  summary: 'Lists the feeds of an import',
  args: ONE,
  options: {
    status: {
      value: 'status',
      help: 'Filter by status',
      choices: ['queued', 'fetching', 'storing', 'done', 'failed', 'cancelled'],
    },
    ...LIST_OPTIONS,
  },
  run: (call) =>
    showList(call, {
      path: '/imports/{id}/feeds',
      input: { path: { id: call.args[0] ?? '' }, query: { status: call.values.status } },
      columns: FEED_COLUMNS,
      none: 'No feeds found.',
    }),
});

const cancel = apiAction({
  word: 'cancel',
  summary: 'Cancels an import and keeps what it has stored',
  args: ONE,
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const view = await api.post('/imports/{id}/cancel', { path: { id } });
    return answer(view, () => summaryOf(view));
  },
});

const rerun = apiAction({
  word: 'rerun',
  summary: 'Runs an import again, as a new one',
  args: ONE,
  options: { failed: { help: 'Only the feeds that failed' }, ...WAITING },
  async run(call) {
    const [id = ''] = call.args;
    const body = { only: call.values.failed ? ('failed' as const) : undefined };
    return finish(call, await call.api.post('/imports/{id}/rerun', { path: { id }, body }));
  },
});

export const imports: Command = {
  name: 'import',
  summary: 'Imports many feeds at once, from addresses, lists or OPML',
  actions: [start, list, show, feeds, cancel, rerun],
};

type FeedList = { feeds: string[] } | { opml: string };

/** Reads addresses, files of addresses (one per line), or one OPML file. */
async function feedsIn(args: string[], terminal: Terminal): Promise<FeedList> {
  const lists = await Promise.all(args.map((arg) => feedsOf(arg, terminal)));
  const opml = lists.flatMap((one) => ('opml' in one ? one.opml : []));
  const feeds = lists.flatMap((one) => ('feeds' in one ? one.feeds : []));
  if (opml[0] !== undefined && opml.length + feeds.length === 1) return { opml: opml[0] };
  if (opml.length) throw new UsageError('An OPML file cannot be combined with other files or addresses.');
  if (!feeds.length) throw new UsageError(`No addresses found in ${args.join(', ')}.`);
  return { feeds };
}

async function feedsOf(arg: string, terminal: Terminal): Promise<FeedList> {
  if (/^[a-z]+:\/\//i.test(arg)) return { feeds: [arg] };
  const text = (await readText(arg, terminal)).replace(/^\uFEFF/, '');
  return text.trimStart().startsWith('<') ? { opml: text } : { feeds: linesOf(text) };
}
