import { randomUUID } from 'node:crypto';
import { apiAction } from '../api/api-action.js';
import type { Answer, ApiClient } from '../api/api-client.js';
import { continuing, watchUntil } from '../api/event-stream.js';
import { readList } from '../api/list.js';
import { CommandError, EXIT, type Terminal, UsageError } from '../command.js';
import { readInput } from '../read-input.js';
import { Progress } from '../show/progress.js';
import { table } from '../show/table.js';
import { printable } from '../show/text.js';
import { hasEnded, PUBLICATION_COLUMNS, type Publication } from './publication.js';

export type Account = Answer<'get', '/accounts/{id}'>;

const OPTIONS = {
  account: {
    value: 'name|id',
    help: 'Account by name, platform/name or id, as `millrace publish accounts` lists them',
    many: true,
  },
  text: { value: 'text', help: 'Text of the post; - reads it from the standard input' },
  media: { value: 'url', help: 'Address of an image or video', many: true },
  link: { value: 'url', help: 'Link of the post' },
  title: { value: 'text', help: 'Title, on platforms that have one' },
  at: { value: 'time', help: 'Time, such as 2027-03-29T09:00 or 2027-03-29T07:00:00Z (default: now)' },
  timezone: { value: 'zone', help: 'Time zone of --at, such as Europe/Berlin (default: that of this machine)' },
  slot: { help: "Publish in the account's next free slot" },
  priority: { value: 'priority', help: 'Priority among posts that are due', choices: ['high', 'normal', 'low'] },
  expires: { value: 'time', help: 'Do not publish after this time, such as 2027-03-29T12:00:00Z' },
  'idempotency-key': { value: 'key', help: 'Requests with the same key publish once (default: a new key)' },
  watch: { help: 'Wait until the post is published or has failed' },
} as const;

export const publishNew = apiAction({
  summary: 'Publishes a post on one or more accounts, now or at a given time',
  options: OPTIONS,
  notes: 'Exit code with --watch: 0 if all posts were published, 1 if one was not.',
  async run({ api, values, terminal, answer }) {
    if (!values.account.length)
      throw new UsageError('Choose an account with --account. `millrace publish accounts` lists yours.');
    const text = values.text === '-' ? (await readInput(terminal)).trimEnd() : values.text;
    const content = contentOf({ ...values, text });
    const time = timeOf(values);
    const { priority, expires: expiresAt, 'idempotency-key': key = randomUUID() } = values;
    const [accountId, ...others] = await accountIds(api, values.account);
    const accounts = others.length ? { accountIds: [accountId ?? '', ...others] } : { accountId };
    const created = await api.post('/publications', {
      header: { 'Idempotency-Key': key },
      body: { content, priority, expiresAt, ...accounts, ...time },
    });
    const publications = 'items' in created ? created.items : [created];
    terminal.err(skippedTime(time, publications[0]));
    if (!values.watch) return answer(created, () => table(PUBLICATION_COLUMNS, publications, terminal));
    const ids = publications.map(({ id }) => id);
    const ended = await continuing(
      `Publishing continues. \`millrace publish list\` shows the state of ${ids.join(', ')}.`,
      () => watchPublications(api, ids, terminal),
    );
    answer('items' in created ? { items: ended } : ended[0], () => table(PUBLICATION_COLUMNS, ended, terminal));
    return ended.every(({ status }) => status === 'published') ? EXIT.done : EXIT.failed;
  },
});

interface ContentOptions {
  text: string | undefined;
  media: string[];
  link: string | undefined;
  title: string | undefined;
}

function contentOf({ text = '', media, link, title }: ContentOptions) {
  if (!text && !media.length) throw new UsageError('Nothing to publish. Use --text or --media.');
  return { text, mediaUrls: media, link, title };
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/;

interface TimeOptions {
  at: string | undefined;
  timezone: string | undefined;
  slot: boolean;
}

interface PublishTime {
  slot?: 'next';
  scheduledAt?: string;
  localTime?: string;
  timezone?: string | undefined;
}

/** Local times are sent as they are, with their time zone, because the API handles daylight saving. */
function timeOf({ at, timezone, slot }: TimeOptions): PublishTime {
  if (slot && (at ?? timezone) !== undefined)
    throw new UsageError('--slot cannot be combined with --at or --timezone.');
  if (slot) return { slot: 'next' };
  if (at === undefined && timezone !== undefined) throw new UsageError('--timezone needs --at.');
  if (at === undefined) return {};
  const [, day, time] = LOCAL_TIME.exec(at) ?? [];
  if (day === undefined) return { scheduledAt: at, timezone };
  return { localTime: `${day}T${time}`, timezone: timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone };
}

/** Warns of a local time that a change to daylight saving skips: the API answers with the time that it uses instead. */
function skippedTime({ localTime }: PublishTime, created: Publication | undefined): string {
  if (localTime === undefined || !created?.localTime) return '';
  if (created.localTime.slice(0, 16) === localTime.slice(0, 16)) return '';
  return `${localTime} does not exist in ${created.timezone} because clocks go forward. Using ${created.localTime}.\n`;
}

/** Shows progress until all publications have ended. */
async function watchPublications(api: ApiClient, ids: readonly string[], terminal: Terminal): Promise<Publication[]> {
  const progress = new Progress(terminal);
  const current = new Map<string, Publication>();
  try {
    return await watchUntil(api, '/publications/stream', {}, async ({ event, data }) => {
      // The stream does not repeat what happened before it was opened.
      if (event === 'open' || event === 'reset')
        for (const id of ids) current.set(id, await api.get('/publications/{id}', { path: { id } }));
      if (event === 'publication') current.set(data.id, data);
      const all = ids.flatMap((id) => current.get(id) ?? []);
      const done = all.filter(hasEnded).length;
      progress.show({ done, total: ids.length, text: all.map(stateOf).join('; ') });
      return done === ids.length ? all : undefined;
    });
  } finally {
    progress.end();
  }
}

const stateOf = ({ platform, status, waitingFor }: Publication) =>
  `${platform} ${status}${waitingFor ? ` (${waitingFor})` : ''}`;

/** Finds accounts by id, by name, or by platform/name if several have the same name. */
export async function accountIds(api: ApiClient, names: string[]): Promise<string[]> {
  if (names.every((name) => /^\d+$/.test(name))) return names;
  const { items: accounts } = await readList(api, '/accounts', {});
  return names.map((name) => idOf(name, accounts));
}

function idOf(given: string, accounts: Account[]): string {
  const matches = accounts.filter(({ id, platform, name }) =>
    [id, name.toLowerCase(), `${platform}/${name}`.toLowerCase()].includes(given.toLowerCase()),
  );
  const [match, another] = matches;
  if (match && !another) return match.id;
  const listed = (another ? matches : accounts)
    .map(({ platform, name }) => printable(`${platform}/${name}`))
    .join(', ');
  const hint = listed ? `Your accounts: ${listed}.` : 'You have no accounts yet.';
  throw new CommandError(
    another ? `Several accounts match \`${given}\`: ${listed}.` : `Unknown account \`${given}\`. ${hint}`,
    EXIT.refused,
  );
}
