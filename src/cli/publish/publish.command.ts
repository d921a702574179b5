import { apiAction } from '../api/api-action.js';
import type { Answer, ApiClient } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, UsageError } from '../command.js';
import { type Column, table } from '../show/table.js';
import { colourOf } from '../show/text.js';
import { fromNow, howLong } from '../show/times.js';
import { describePublication, PUBLICATION_COLUMNS, type Publication } from './publication.js';
import { type Account, accountIds, publishNew } from './publish-new.js';

type Platform = Answer<'get', '/platforms'>['items'][number];

const ONE = { name: 'id', min: 1, max: 1 } as const;

const list = apiAction({
  word: 'list',
  summary: 'Lists your publications',
  options: {
    status: {
      value: 'status',
      help: 'Filter by status',
      choices: ['scheduled', 'queued', 'publishing', 'published', 'failed', 'expired', 'cancelled', 'unknown'],
    },
    account: { value: 'name|id', help: 'Filter by account' },
    from: { value: 'time', help: 'Only posts due from this time on, such as 2027-03-29T00:00:00Z' },
    to: { value: 'time', help: 'Only posts due before this time' },
    ...LIST_OPTIONS,
  },
  async run(call) {
    const { status, account: name, from, to } = call.values;
    const [account] = name === undefined ? [] : await accountIds(call.api, [name]);
    return showList(call, {
      path: '/publications',
      input: { query: { status, account, from, to } },
      columns: PUBLICATION_COLUMNS,
      none: 'No publications found. `millrace publish --account … --text …` creates one.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'Shows a publication, why it waits, and its history',
  args: ONE,
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const publication = await api.get('/publications/{id}', { path: { id } });
    return answer(publication, () => describePublication(publication));
  },
});

type Change = (api: ApiClient, id: string) => Promise<Publication>;

const change = (word: string, summary: string, apply: Change) =>
  apiAction({
    word,
    summary,
    args: { name: 'id', min: 1, max: Number.POSITIVE_INFINITY },
    options: {},
    async run({ api, args, terminal, answer }) {
      const items: Publication[] = [];
      for (const id of args) items.push(await apply(api, id));
      return answer(items.length === 1 ? items[0] : { items, nextCursor: null }, () =>
        table(PUBLICATION_COLUMNS, items, terminal),
      );
    },
  });

const cancel = change('cancel', 'Cancels publications that are not published yet', (api, id) =>
  api.delete('/publications/{id}', { path: { id } }),
);

const retry = change('retry', 'Retries failed publications', (api, id) =>
  api.post('/publications/{id}/retry', { path: { id } }),
);

const now = change('now', 'Publishes scheduled publications immediately', (api, id) =>
  api.post('/publications/{id}/publish-now', { path: { id } }),
);

const resolve = apiAction({
  word: 'resolve',
  summary: 'Resolves a publication of unknown status, after you have checked the platform',
  args: ONE,
  options: {
    published: { help: 'The post is on the platform' },
    'post-id': { value: 'id', help: 'Id of the post on the platform; use with --published' },
    'post-url': { value: 'url', help: 'Address of the post; use with --published' },
    'not-published': { help: 'The post is not on the platform' },
    retry: { help: 'Publish the post now; use with --not-published' },
  },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    if (values.published === values['not-published'])
      throw new UsageError('Use --published or --not-published, depending on what the platform shows.');
    const { 'post-id': platformPostId, 'post-url': platformUrl } = values;
    const body = values.published
      ? { outcome: 'published' as const, platformPostId, platformUrl }
      : { outcome: 'not_published' as const, retry: values.retry };
    const resolved = await api.post('/publications/{id}/resolve', { path: { id }, body });
    return answer(resolved, () => table(PUBLICATION_COLUMNS, [resolved], terminal));
  },
});

const ACCOUNT_COLUMNS: Column<Account>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'PLATFORM', show: ({ platform }) => platform },
  { title: 'NAME', show: ({ name }) => name, truncates: true },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'NAME ON PLATFORM', show: ({ platformName }) => platformName, truncates: true },
  { title: 'CLOSED UNTIL', show: ({ closedUntil }) => fromNow(closedUntil) },
  { title: 'LAST ERROR', show: ({ lastError }) => lastError, truncates: true },
];

const accounts = apiAction({
  word: 'accounts',
  summary: 'Lists the accounts on which you can publish',
  options: LIST_OPTIONS,
  run: (call) =>
    showList(call, {
      path: '/accounts',
      input: {},
      columns: ACCOUNT_COLUMNS,
      none: 'You have no accounts yet. Add one on the web page or with POST /api/v1/accounts.',
    }),
});

type Limit = Platform['limits']['user'];

const capacity = (remaining: number | null, limit: Limit) =>
  limit && remaining !== null ? `${remaining} of ${limit.most} per ${howLong(limit.windowSeconds)}` : 'no limit';

const PLATFORM_COLUMNS: Column<Platform>[] = [
  { title: 'PLATFORM', show: ({ name }) => name },
  { title: 'LEFT FOR ALL', show: ({ remaining, limits }) => capacity(remaining.platform, limits.platform) },
  { title: 'LEFT FOR YOU', show: ({ remaining, limits }) => capacity(remaining.user, limits.user) },
  { title: 'FREE AGAIN', show: ({ availableAt }) => fromNow(availableAt) },
  { title: 'DUE', show: ({ due }) => due.all, align: 'right' },
  { title: 'YOURS', show: ({ due }) => due.yours, align: 'right' },
];

const platforms = apiAction({
  word: 'platforms',
  summary: 'Lists the platforms and their remaining capacity',
  options: {},
  async run({ api, terminal, answer }) {
    const listed = await api.get('/platforms');
    return answer(listed, () => table(PLATFORM_COLUMNS, listed.items, terminal));
  },
});

export const publish: Command = {
  name: 'publish',
  summary: 'Publishes posts on your accounts, now or later, and shows their status',
  actions: [publishNew, list, show, cancel, retry, now, resolve, accounts, platforms],
};
