import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT } from '../command.js';
import { readText } from '../read-input.js';
import { colourOf } from '../show/colour.js';
import { printable } from '../show/printable.js';
import { type Column, facts } from '../show/table.js';
import { fromNow, howLong, shortTime } from '../show/times.js';

const Source = z.object({
  id: z.string(),
  type: z.string(),
  externalId: z.string(),
  title: z.string().nullable(),
  folder: z.string().nullable(),
  activeFollowers: z.number(),
  intervalSeconds: z.number().nullable(),
  nextFetchAt: z.string().nullable(),
  lastSuccessAt: z.string().nullable(),
  condition: z.object({ state: z.string(), reason: z.string() }),
});
type Source = z.infer<typeof Source>;

const every = (seconds: number | null) => (seconds === null ? undefined : howLong(seconds));

const COLUMNS: Column<Source>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATE', show: ({ condition }) => condition.state, colour: ({ condition }) => colourOf(condition.state) },
  { title: 'TYPE', show: ({ type }) => type },
  { title: 'TITLE', show: ({ title, externalId }) => title ?? externalId, cuts: true },
  { title: 'EVERY', show: ({ intervalSeconds }) => every(intervalSeconds), align: 'right' },
  { title: 'FETCHED', show: ({ lastSuccessAt }) => fromNow(lastSuccessAt) },
  { title: 'NEXT', show: ({ nextFetchAt }) => fromNow(nextFetchAt) },
  {
    title: 'REASON',
    show: ({ condition }) => (condition.state === 'ok' ? null : condition.reason),
    cuts: true,
    spare: true,
  },
  { title: 'FOLDER', show: ({ folder }) => folder, spare: true },
  { title: 'ADDRESS', show: ({ externalId }) => externalId, spare: true },
];

const Schedule = z.object({
  policy: z.string(),
  activeFollowers: z.number(),
  postsPerDay: z.number(),
  intervalSeconds: z.number().nullable(),
  nextFetchAt: z.string().nullable(),
  because: z.array(z.string()),
});

const list = apiAction({
  summary: 'lists what you follow, and how its fetching goes',
  options: {
    state: { value: 'state', help: 'only those that are', choices: ['active', 'paused', 'failing', 'gone'] },
    condition: {
      value: 'condition',
      help: 'only those that do so at this moment',
      choices: ['ok', 'failing', 'waiting', 'paused', 'gone'],
    },
    type: { value: 'type', help: 'only those of this type, such as rss' },
    folder: { value: 'folder', help: 'only those in this folder and below' },
    search: { value: 'text', help: 'only those with this in their title' },
    why: { value: 'id', help: 'why this one is fetched as often as it is, instead of the list' },
    ...LIST_OPTIONS,
  },
  async run(call) {
    const { api, values, answer } = call;
    if (values.why !== undefined) {
      const schedule = await api.get(`/sources/${encodeURIComponent(values.why)}/schedule`);
      return answer(schedule, () => reasons(schedule));
    }
    const { state, condition, type, folder, search: q } = values;
    const none = 'There is nothing to show. `millrace follow <url>` follows something.';
    return showList(call, {
      path: '/sources',
      query: { state, condition, type, folder, q },
      row: Source,
      columns: COLUMNS,
      none,
    });
  },
});

function reasons(answer: unknown): string {
  const { policy, activeFollowers, postsPerDay, intervalSeconds, nextFetchAt, because } = read(Schedule, answer);
  const rows = facts([
    ['policy', policy],
    ['active followers', activeFollowers],
    ['posts a day', Math.round(postsPerDay * 10) / 10],
    ['every', every(intervalSeconds)],
    ['next fetch', fromNow(nextFetchAt)],
  ]);
  return `${rows}\n${because.map((sentence) => `${printable(sentence)}\n`).join('')}`;
}

const Fetch = z.object({
  cause: z.string().nullable(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  attempt: z.number(),
  startedAt: z.string(),
  ms: z.number(),
  status: z.number().nullable(),
  bytes: z.number().nullable(),
  found: z.number().nullable(),
  new: z.number().nullable(),
  updated: z.number().nullable(),
});

const FETCH_COLUMNS: Column<z.infer<typeof Fetch>>[] = [
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'CAUSE', show: ({ cause }) => cause },
  { title: 'RESULT', show: ({ result }) => result, colour: ({ result }) => colourOf(result ?? '') },
  { title: 'NEW', show: (fetch) => fetch.new, align: 'right' },
  { title: 'UPDATED', show: ({ updated }) => updated, align: 'right' },
  { title: 'FOUND', show: ({ found }) => found, align: 'right' },
  { title: 'STATUS', show: ({ status }) => status, align: 'right' },
  { title: 'BYTES', show: ({ bytes }) => bytes, align: 'right' },
  { title: 'TOOK', show: ({ ms }) => shortTime(ms), align: 'right' },
  { title: 'ERROR', show: ({ error }) => error, cuts: true },
  { title: 'TRY', show: ({ attempt }) => attempt, align: 'right', spare: true },
];

const fetches = apiAction({
  word: 'fetches',
  summary: 'lists the fetches and pushes of a source: who caused them and what they brought',
  args: { name: 'id', least: 1, most: 1 },
  options: LIST_OPTIONS,
  run: (call) =>
    showList(call, {
      path: `/sources/${encodeURIComponent(call.args[0] ?? '')}/fetches`,
      query: {},
      row: Fetch,
      columns: FETCH_COLUMNS,
      none: 'No fetch of this source is in the history.',
    }),
});

const exportOpml = apiAction({
  word: 'export',
  summary: 'writes what you follow as OPML, to a file or to the standard output',
  args: { name: 'file', least: 0, most: 1 },
  options: {},
  async run({ api, args: [file = '-'], terminal }) {
    const opml = await api.text('/sources/opml');
    if (file === '-') terminal.out(opml);
    else await writeFile(file, opml);
    return EXIT.done;
  },
});

const Followed = z.object({
  followed: z.number(),
  alreadyFollowed: z.number(),
  failed: z.array(z.object({ xmlUrl: z.string(), reason: z.string() })),
});

const importOpml = apiAction({
  word: 'import',
  summary: 'follows all that an OPML file lists; - is the standard input',
  args: { name: 'file', least: 1, most: 1 },
  options: {},
  notes: '`millrace import --follow` does the same for long lists, with progress.',
  async run({ api, args: [file = '-'], terminal, answer }) {
    const answered = await api.post('/sources/opml', { opml: await readText(file, terminal) });
    const { followed, alreadyFollowed, failed } = read(Followed, answered);
    answer(answered, () => `Following ${followed} more; ${alreadyFollowed} were followed before\n`);
    for (const { xmlUrl, reason } of failed) terminal.err(`${printable(xmlUrl)}: ${printable(reason)}\n`);
    return failed.length ? EXIT.failed : EXIT.done;
  },
});

export const sources: Command = {
  name: 'sources',
  summary: 'lists what you follow and its fetches, says why it is fetched as often as it is; OPML in and out',
  actions: [list, fetches, exportOpml, importOpml],
};
