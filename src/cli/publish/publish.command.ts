import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { type ApiClient, read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { goesOn } from '../api/goes-on.js';
import { LIST_OPTIONS, readList, showList } from '../api/list.js';
import { type Command, CommandError, EXIT, type Terminal, UsageError } from '../command.js';
import { readInput } from '../read-input.js';
import { colourOf } from '../show/colour.js';
import { printable } from '../show/printable.js';
import { Progress } from '../show/progress.js';
import { type Column, table } from '../show/table.js';
import { fromNow, howLong } from '../show/times.js';
import { CONTENT, newPublication } from './new-publication.js';
import { hasEnded, inWords, PUBLICATION_COLUMNS, Publication } from './publication.js';

const Limit = z.object({ most: z.number(), windowSeconds: z.number() }).nullable();

/** A platform, as far as it is shown. */
const Platform = z.object({
  name: z.string(),
  limits: z.object({ platform: Limit, user: Limit }),
  remaining: z.object({ platform: z.number().nullable(), user: z.number().nullable() }),
  roomAt: z.string().nullable(),
  due: z.object({ all: z.number(), yours: z.number() }),
});

const PLATFORM_COLUMNS: Column<Platform>[] = [
  { title: 'PLATFORM', show: ({ name }) => name },
  { title: 'LEFT FOR ALL', show: ({ remaining, limits }) => capacity(remaining.platform, limits.platform) },
  { title: 'LEFT FOR YOU', show: ({ remaining, limits }) => capacity(remaining.user, limits.user) },
  { title: 'ROOM', show: ({ roomAt }) => fromNow(roomAt) },
  { title: 'DUE', show: ({ due }) => due.all, align: 'right' },
  { title: 'OF THEM YOURS', show: ({ due }) => due.yours, align: 'right' },
];

/** What somebody decides about publications that are there already; one after the other. */
const decision = (word: string, summary: string, decide: 'delete' | 'retry' | 'publish-now') =>
  apiAction({
    word,
    summary,
    args: { name: 'id', least: 1, most: Number.POSITIVE_INFINITY },
    options: {},
    async run({ api, args, terminal, answer }) {
      const items: unknown[] = [];
      for (const id of args)
        items.push(await (decide === 'delete' ? api.delete(pathOf(id)) : api.post(`${pathOf(id)}/${decide}`)));
      return answer(items.length === 1 ? items[0] : { items, nextCursor: null }, () =>
        table(
          PUBLICATION_COLUMNS,
          items.map((one) => read(Publication, one)),
          terminal,
        ),
      );
    },
  });

const cancel = decision('cancel', 'cancels what is not out yet', 'delete');

const retry = decision('retry', 'tries again what has failed', 'retry');

const now = decision('now', 'publishes at once what is scheduled for later', 'publish-now');

const resolve = apiAction({
  word: 'resolve',
  summary: 'says what became of one whose status is unknown, after you have looked on the platform',
  args: { name: 'id', least: 1, most: 1 },
  options: {
    published: { help: 'it is there' },
    'post-id': { value: 'id', help: 'with --published: what the platform calls it' },
    'post-url': { value: 'url', help: 'with --published: where it is' },
    'not-published': { help: 'it is not there' },
    retry: { help: 'with --not-published: publish it now' },
  },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    if (values.published === values['not-published'])
      throw new UsageError('say what you have seen there: --published or --not-published');
    const { 'post-id': platformPostId, 'post-url': platformUrl } = values;
    const outcome = values.published
      ? { outcome: 'published', platformPostId, platformUrl }
      : { outcome: 'not_published', retry: values.retry };
    const resolved = await api.post(`${pathOf(id)}/resolve`, outcome);
    return answer(resolved, () => table(PUBLICATION_COLUMNS, [read(Publication, resolved)], terminal));
  },
});

/** An account, as far as it is shown. */
const Account = z.object({
  id: z.string(),
  platform: z.string(),
  name: z.string(),
  status: z.string(),
  lastError: z.string().nullable(),
  platformName: z.string().nullable(),
  closedUntil: z.string().nullable(),
});

const ACCOUNT_COLUMNS: Column<Account>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'PLATFORM', show: ({ platform }) => platform },
  { title: 'NAME', show: ({ name }) => name, cuts: true },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'KNOWN THERE AS', show: ({ platformName }) => platformName, cuts: true },
  { title: 'CLOSED UNTIL', show: ({ closedUntil }) => fromNow(closedUntil) },
  { title: 'LAST ERROR', show: ({ lastError }) => lastError, cuts: true },
];

const publishNew = apiAction({
  summary: 'publishes something, now or at a time, on one account or several',
  options: {
    ...CONTENT,
    'idempotency-key': { value: 'key', help: 'the same again publishes nothing more (default: a new one each time)' },
    watch: { help: 'wait until it is out, or cannot go out' },
  },
  notes: 'Exit code with --watch: 0 all are out, 1 one is not.',
  async run({ api, values, terminal, answer }) {
    if (!values.account.length)
      throw new UsageError('say where, with --account; `millrace publish accounts` lists yours');
    const text = values.text === '-' ? (await readInput(terminal)).trimEnd() : values.text;
    const body = newPublication({ ...values, text });
    const headers = { 'idempotency-key': values['idempotency-key'] ?? randomUUID() };
    const ids = await accountIds(api, values.account);
    const made = await api.post(
      '/publications',
      { ...(ids.length > 1 ? { accountIds: ids } : { accountId: ids[0] }), ...body },
      headers,
    );
    const all = read(z.union([z.object({ items: z.array(Publication) }), Publication]), made);
    const publications = 'items' in all ? all.items : [all];
    terminal.err(skippedTime(body, publications[0]));
    if (!values.watch) return answer(made, () => table(PUBLICATION_COLUMNS, publications, terminal));
    const named = publications.map(({ id }) => id);
    const sentence = `What is to be published stays so: \`millrace publish list\` tells what became of ${named.join(', ')}.`;
    const ended = await goesOn(sentence, () => watchPublications(api, named, terminal));
    const views = ended.map((one) => read(Publication, one));
    answer('items' in all ? { items: ended } : ended[0], () => table(PUBLICATION_COLUMNS, views, terminal));
    return views.every(({ status }) => status === 'published') ? EXIT.done : EXIT.failed;
  },
});

/** Warns of a local time that clocks skip: the API answers with the one that they show instead. */
function skippedTime({ localTime }: { localTime?: string | undefined }, made: Publication | undefined): string {
  if (localTime === undefined || !made?.localTime || made.localTime.slice(0, 16) === localTime.slice(0, 16)) return '';
  return `${localTime} does not exist in ${made.timezone}, because clocks go forward: the time is ${made.localTime}.\n`;
}

const list = apiAction({
  word: 'list',
  summary: 'lists your publications',
  options: {
    status: { value: 'status', help: 'only those that are', choices: Publication.shape.status.options },
    account: { value: 'name|id', help: 'only those of this account' },
    from: { value: 'time', help: 'only those due from this time on, such as 2027-03-29T00:00:00Z' },
    to: { value: 'time', help: 'only those due before this time' },
    ...LIST_OPTIONS,
  },
  async run(call) {
    const { status, account: wanted, from, to } = call.values;
    const [account] = wanted === undefined ? [] : await accountIds(call.api, [wanted]);
    const query = { status, account, from, to };
    const none = 'There is nothing like that. `millrace publish --account … --text …` publishes something.';
    return showList(call, { path: '/publications', query, row: Publication, columns: PUBLICATION_COLUMNS, none });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'tells where a publication stands, why it waits, and all that happened to it',
  args: { name: 'id', least: 1, most: 1 },
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const publication = await api.get(`/publications/${encodeURIComponent(id)}`);
    return answer(publication, () => inWords(read(Publication, publication)));
  },
});

const accounts = apiAction({
  word: 'accounts',
  summary: 'lists the accounts that you can publish on',
  options: LIST_OPTIONS,
  run: (call) => {
    const none = 'You have no accounts yet; POST /api/v1/accounts or the page adds one.';
    return showList(call, { path: '/accounts', row: Account, columns: ACCOUNT_COLUMNS, none });
  },
});

const platforms = apiAction({
  word: 'platforms',
  summary: 'lists the platforms, and how much may still go out',
  options: {},
  async run({ api, terminal, answer }) {
    const listed = await api.get('/platforms');
    const { items } = read(z.object({ items: z.array(Platform) }), listed);
    return answer(listed, () => table(PLATFORM_COLUMNS, items, terminal));
  },
});

export const publish: Command = {
  name: 'publish',
  summary: 'publishes on your accounts, now or on time, and tells what became of it',
  actions: [publishNew, list, show, cancel, retry, now, resolve, accounts, platforms],
};

/** Until all of them have ended; ends with them as the API shows them. */
async function watchPublications(api: ApiClient, ids: readonly string[], terminal: Terminal): Promise<unknown[]> {
  const progress = new Progress(terminal);
  const known = new Map<string, unknown>();
  try {
    return await watchUntil(api, '/publications/stream', async ({ event, data }) => {
      // Nobody tells of what happened before the stream began.
      if (event === 'open' || event === 'reset')
        for (const id of ids) known.set(id, await api.get(`/publications/${id}`));
      if (event === 'publication') known.set(read(Publication, data).id, data);
      const all = ids.map((id) => read(Publication, known.get(id)));
      const done = all.filter(hasEnded).length;
      progress.show({ done, total: ids.length, text: all.map(stateOf).join('; ') });
      return done === ids.length ? ids.map((id) => known.get(id)) : undefined;
    });
  } finally {
    progress.end();
  }
}

const stateOf = ({ platform, status, waitingFor }: Publication) =>
  `${platform} ${status}${waitingFor ? ` (${waitingFor})` : ''}`;

type Account = z.infer<typeof Account>;

/** The ids of accounts that were given by id, by name, or by platform/name where two have the same name. */
async function accountIds(api: ApiClient, wanted: string[]): Promise<string[]> {
  if (wanted.every((one) => /^\d+$/.test(one))) return wanted;
  const accounts = read(z.array(Account), (await readList(api, { path: '/accounts' })).items);
  return wanted.map((one) => idOf(one, accounts));
}

function idOf(wanted: string, accounts: Account[]): string {
  const fits = accounts.filter(({ id, platform, name }) =>
    [id, name.toLowerCase(), `${platform}/${name}`.toLowerCase()].includes(wanted.toLowerCase()),
  );
  const [one, another] = fits;
  if (one && !another) return one.id;
  const named = (fits.length ? fits : accounts)
    .map(({ platform, name }) => printable(`${platform}/${name}`))
    .join(', ');
  const complaint = fits.length ? `${wanted} could be any of ${named}` : `there is no account ${wanted}`;
  const hint = fits.length ? '' : named ? `; there are ${named}` : '; you have none yet';
  throw new CommandError(`${complaint}${hint}`, EXIT.refused);
}

const pathOf = (id: string) => `/publications/${encodeURIComponent(id)}`;

type Platform = z.infer<typeof Platform>;

const capacity = (remaining: number | null, limit: z.infer<typeof Limit>) =>
  limit && remaining !== null ? `${remaining} of ${limit.most} in ${howLong(limit.windowSeconds)}` : 'no limit';
