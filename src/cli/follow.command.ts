import { apiAction } from './api/api-action.js';
import type { Answer, ApiClient } from './api/api-client.js';
import { Refused } from './api/api-error.js';
import { readList } from './api/list.js';
import { type Command, CommandError, EXIT, UsageError } from './command.js';
import { linesOf, readInput } from './read-input.js';
import { coloured, printable } from './show/text.js';

type Source = Answer<'get', '/sources/{id}'>;

const FOLLOW_SUMMARY = 'Follows a feed, a page that links to one, or an account';

const OPTIONS = {
  type: { value: 'type', help: 'Type of the source, such as rss or mastodon; use with --id instead of an address' },
  id: { value: 'externalId', help: 'Name of the source there; use with --type' },
  folder: { value: 'folder', help: 'Folder for the source, such as News/Local' },
  title: { value: 'title', help: 'Title to show for the source' },
  'max-delay': { value: 'minutes', help: 'Preferred maximum age of new posts, from 1 to 1440 minutes' },
} as const;

export const follow: Command = {
  name: 'follow',
  summary: FOLLOW_SUMMARY,
  actions: [
    apiAction({
      summary: FOLLOW_SUMMARY,
      args: { name: 'url', min: 0, max: Number.POSITIVE_INFINITY },
      options: OPTIONS,
      notes:
        'Use - to read addresses from the standard input, one per line. If one address fails, the others are followed.',
      async run({ api, args, values, terminal, answer }) {
        const { folder, title } = values;
        const maxDelayMinutes = minutesIn(values['max-delay']);
        const targets = await targetsOf(args, values, () => readInput(terminal));
        const outcomes = { items: [] as Source[], failed: [] as object[] };
        for (const target of targets) {
          const outcome = await tryToFollow(api, { ...target, folder, title, maxDelayMinutes });
          if (outcome instanceof Refused) {
            if (targets.length === 1) throw outcome;
            outcomes.failed.push({ ...target, problem: outcome.problem });
            terminal.err(`${printable(target.url ?? target.externalId ?? '')}: ${outcome.message}\n`);
          } else {
            outcomes.items.push(outcome);
            if (!values.json) terminal.out(followed(outcome, terminal.colours));
          }
        }
        if (values.json) answer(targets.length === 1 ? outcomes.items[0] : outcomes, () => '');
        return outcomes.failed.length ? EXIT.refused : EXIT.done;
      },
    }),
  ],
};

function minutesIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d{1,4}$/.test(given)) throw new UsageError('--max-delay must be a whole number of minutes, such as 15.');
  return Number(given);
}

interface FollowTarget {
  url?: string;
  type?: string;
  externalId?: string;
}

async function targetsOf(
  args: string[],
  { type, id }: { type: string | undefined; id: string | undefined },
  input: () => Promise<string>,
): Promise<FollowTarget[]> {
  if ((type === undefined) !== (id === undefined)) throw new UsageError('--type and --id must be used together.');
  if (type !== undefined && id !== undefined) {
    if (args.length) throw new UsageError('Use either an address or --type and --id, not both.');
    return [{ type, externalId: id }];
  }
  const urls = await Promise.all(args.map(async (arg) => (arg === '-' ? linesOf(await input()) : [arg])));
  if (!urls.flat().length) throw new UsageError('Nothing to follow. Give an address, or --type and --id.');
  return urls.flat().map((url) => ({ url }));
}

async function tryToFollow(
  api: ApiClient,
  body: FollowTarget & Record<'folder' | 'title', string | undefined> & { maxDelayMinutes: number | undefined },
): Promise<Source | Refused> {
  try {
    return await api.post('/sources/follow', { body });
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function followed({ id, type, externalId, title }: Source, colours: boolean): string {
  const name = coloured(printable(title ?? externalId), 'bold', colours);
  return `Following ${name} (${type} ${printable(externalId)}) as source ${id}.\n`;
}

const UNFOLLOW_SUMMARY = 'Stops following sources';

export const unfollow: Command = {
  name: 'unfollow',
  summary: UNFOLLOW_SUMMARY,
  actions: [
    apiAction({
      summary: UNFOLLOW_SUMMARY,
      args: { name: 'id|url', min: 1, max: Number.POSITIVE_INFINITY },
      options: {},
      notes: 'The address can be that of the feed or of its site, as `millrace sources` shows it.',
      async run({ api, args, answer }) {
        const chosen = await chosenSources(api, args);
        for (const { id } of chosen) await api.delete('/sources/{id}/follow', { path: { id } });
        return answer({ items: chosen.map(({ id }) => ({ id })), nextCursor: null }, () =>
          chosen.map(({ title, externalId }) => `No longer following ${printable(title ?? externalId)}.\n`).join(''),
        );
      },
    }),
  ],
};

async function chosenSources(api: ApiClient, args: string[]): Promise<Source[]> {
  const areIds = args.every((arg) => /^\d+$/.test(arg));
  if (areIds) return Promise.all(args.map((id) => api.get('/sources/{id}', { path: { id } })));
  const { items: sources } = await readList(api, '/sources', {});
  return args.map((arg) => {
    const source = sources.find(({ id, externalId, siteUrl }) =>
      [id, comparable(externalId), siteUrl && comparable(siteUrl)].includes(/^\d+$/.test(arg) ? arg : comparable(arg)),
    );
    if (!source)
      throw new CommandError(`You do not follow ${arg}. \`millrace sources\` lists what you follow.`, EXIT.refused);
    return source;
  });
}

/** Ignores the scheme and slashes at the end, as people do. */
const comparable = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
