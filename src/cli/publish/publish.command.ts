import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { goesOn } from '../api/goes-on.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, UsageError } from '../command.js';
import { readInput } from '../read-input.js';
import { table } from '../show/table.js';
import { ACCOUNT_COLUMNS, Account, accountIds } from './accounts.js';
import { cancel, now, resolve, retry } from './decisions.js';
import { CONTENT, newPublication } from './new-publication.js';
import { PLATFORM_COLUMNS, Platform } from './platforms.js';
import { inWords, PUBLICATION_COLUMNS, Publication } from './publication.js';
import { watchPublications } from './watch-publications.js';

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
