import { writeFile } from 'node:fs/promises';
import { apiAction } from './api/api-action.js';
import type { Answer } from './api/api-client.js';
import { LIST_OPTIONS, showList } from './api/list.js';
import { type Command, EXIT, UsageError } from './command.js';
import { readText } from './read-input.js';
import { type Column, facts } from './show/table.js';
import { colourOf, printable } from './show/text.js';
import { fromNow, howLong, shortTime } from './show/times.js';

type Source = Answer<'get', '/sources/{id}'>;

const intervalOf = (seconds: number | null) => (seconds === null ? undefined : howLong(seconds));

const COLUMNS: Column<Source>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATE', show: ({ condition }) => condition.state, colour: ({ condition }) => colourOf(condition.state) },
  { title: 'TYPE', show: ({ type }) => type },
  { title: 'TITLE', show: ({ title, externalId }) => title ?? externalId, truncates: true },
  { title: 'INTERVAL', show: ({ intervalSeconds }) => intervalOf(intervalSeconds), align: 'right' },
  { title: 'FETCHED', show: ({ lastSuccessAt }) => fromNow(lastSuccessAt) },
  { title: 'NEXT', show: ({ nextFetchAt }) => fromNow(nextFetchAt) },
  {
    title: 'REASON',
    show: ({ condition }) => (condition.state === 'ok' ? null : condition.reason),
    truncates: true,
    optional: true,
  },
  { title: 'FOLDER', show: ({ folder }) => folder, optional: true },
  { title: 'ADDRESS', show: ({ externalId }) => externalId, optional: true },
];

type AnySource = Answer<'get', '/admin/sources'>['items'][number];

const OPERATOR_COLUMNS: Column<AnySource>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATE', show: ({ condition }) => condition.state, colour: ({ condition }) => colourOf(condition.state) },
  { title: 'TYPE', show: ({ type }) => type },
  { title: 'HOST', show: ({ host }) => host },
  { title: 'TITLE', show: ({ title, externalId }) => title ?? externalId, truncates: true },
  { title: 'FOLLOWERS', show: ({ followers }) => followers, align: 'right' },
  { title: 'FAILURES', show: ({ consecutiveFailures }) => consecutiveFailures, align: 'right' },
  { title: 'FETCHED', show: ({ lastSuccessAt }) => fromNow(lastSuccessAt) },
  { title: 'NEXT', show: ({ nextFetchAt }) => fromNow(nextFetchAt) },
  { title: 'ERROR', show: ({ lastError }) => lastError, truncates: true },
  { title: 'ADDRESS', show: ({ externalId }) => externalId, optional: true },
];

const list = apiAction({
  summary: 'Lists the sources you follow and how fetching them goes; with --all those of all users',
  options: {
    state: {
      value: 'state',
      help: 'Filter by state; ok and waiting only with --all',
      choices: ['active', 'paused', 'failing', 'gone', 'ok', 'waiting'],
    },
    condition: {
      value: 'condition',
      help: 'Filter by current condition',
      choices: ['ok', 'failing', 'waiting', 'paused', 'gone'],
    },
    type: { value: 'type', help: 'Filter by type, such as rss' },
    folder: { value: 'folder', help: 'Filter by folder, subfolders included' },
    host: { value: 'host', help: 'Filter by host; only with --all' },
    error: { value: 'text', help: 'Search in the last errors; only with --all' },
    search: { value: 'text', help: 'Search in titles, with --all also in addresses' },
    why: { value: 'id', help: 'Explain how often this source is fetched, instead of listing' },
    limit: LIST_OPTIONS.limit,
    all: { help: 'List the sources of all users, most failures first; for admins. Otherwise show all results' },
  },
  notes:
    'With --all, --state failing lists every source whose last fetch failed, otherwise only those failing for days.',
  async run(call) {
    const { api, values, answer } = call;
    if (values.why !== undefined) {
      const schedule = await api.get('/sources/{id}/schedule', { path: { id: values.why } });
      return answer(schedule, () => explanation(schedule));
    }
    const { state, condition, type, folder, host, error, search: q } = values;
    if (
      values.all &&
      values.as === undefined &&
      folder === undefined &&
      condition === undefined &&
      (await api.get('/users/me')).scope === 'admin'
    )
      return showList(
        { ...call, values: { ...values, all: false } },
        {
          path: '/admin/sources',
          input: { query: { state, type, host, error, q } },
          columns: OPERATOR_COLUMNS,
          none: 'No sources found.',
          more: 'Use a higher --limit or filters to see more',
        },
      );
    if (host !== undefined || error !== undefined)
      throw new UsageError('--host and --error need --all and an admin key.');
    if (state === 'ok' || state === 'waiting')
      throw new UsageError(`Use --condition ${state}, or --all and an admin key.`);
    return showList(call, {
      path: '/sources',
      input: { query: { state, condition, type, folder, q } },
      columns: COLUMNS,
      none: 'No sources found. `millrace follow <url>` adds one.',
    });
  },
});

function explanation(schedule: Answer<'get', '/sources/{id}/schedule'>): string {
  const { policy, activeFollowers, postsPerDay, intervalSeconds, nextFetchAt, because } = schedule;
  const rows = facts([
    ['policy', policy],
    ['active followers', activeFollowers],
    ['posts per day', Math.round(postsPerDay * 10) / 10],
    ['interval', intervalOf(intervalSeconds)],
    ['next fetch', fromNow(nextFetchAt)],
  ]);
  return `${rows}\n${because.map((sentence) => `${printable(sentence)}\n`).join('')}`;
}

type Fetch = Answer<'get', '/sources/{id}/fetches'>['items'][number];

const FETCH_COLUMNS: Column<Fetch>[] = [
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'CAUSE', show: ({ cause }) => cause },
  { title: 'RESULT', show: ({ result }) => result, colour: ({ result }) => colourOf(result ?? '') },
  { title: 'NEW', show: (fetch) => fetch.new, align: 'right' },
  { title: 'UPDATED', show: ({ updated }) => updated, align: 'right' },
  { title: 'FOUND', show: ({ found }) => found, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, align: 'right' },
  { title: 'BYTES', show: ({ bytes }) => bytes, align: 'right' },
  { title: 'TOOK', show: ({ ms }) => shortTime(ms), align: 'right' },
  { title: 'ERROR', show: ({ error }) => error, truncates: true },
  { title: 'ATTEMPT', show: ({ attempt }) => attempt, align: 'right', optional: true },
];

const fetches = apiAction({
  word: 'fetches',
  summary: 'Lists the fetches and pushes of a source, with cause and result',
  args: { name: 'id', min: 1, max: 1 },
  options: LIST_OPTIONS,
  run: (call) =>
    showList(call, {
      path: '/sources/{id}/fetches',
      input: { path: { id: call.args[0] ?? '' } },
      columns: FETCH_COLUMNS,
      none: 'The history has no fetches of this source.',
    }),
});

const exportOpml = apiAction({
  word: 'export',
  summary: 'Writes the feeds you follow as OPML, to a file or to the standard output',
  args: { name: 'file', min: 0, max: 1 },
  options: {},
  async run({ api, args: [file = '-'], terminal }) {
    const response = await api.open('/sources/opml', {});
    const opml = await api.reaching(() => response.text());
    if (file === '-') terminal.out(opml);
    else await writeFile(file, opml);
    return EXIT.done;
  },
});

const importOpml = apiAction({
  word: 'import',
  summary: 'Follows all feeds of an OPML file; - reads the standard input',
  args: { name: 'file', min: 1, max: 1 },
  options: {},
  notes: '`millrace import --follow` does the same for long lists and shows progress.',
  async run({ api, args: [file = '-'], terminal, answer }) {
    const answered = await api.post('/sources/opml', { body: { opml: await readText(file, terminal) } });
    const { followed, alreadyFollowed, failed } = answered;
    answer(answered, () => `Now following ${followed} more sources. ${alreadyFollowed} were already followed.\n`);
    for (const { xmlUrl, reason } of failed) terminal.err(`${printable(xmlUrl)}: ${printable(reason)}\n`);
    return failed.length ? EXIT.failed : EXIT.done;
  },
});

export const sources: Command = {
  name: 'sources',
  summary:
    'Lists the sources you follow and their fetches, and explains how often they are fetched; OPML import and export',
  actions: [list, fetches, exportOpml, importOpml],
};
