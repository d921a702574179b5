import { z } from 'zod';
import { apiAction } from './api/api-action.js';
import { type ApiClient, read } from './api/api-client.js';
import { Refused } from './api/api-error.js';
import { type Command, EXIT, UsageError } from './command.js';
import { linesOf, readInput } from './read-input.js';
import { coloured } from './show/colour.js';
import { printable } from './show/printable.js';

const Source = z.object({ id: z.string(), type: z.string(), externalId: z.string(), title: z.string().nullable() });

const SUMMARY = 'follows what is behind an address: a feed, a page that names one, an account';

const OPTIONS = {
  type: {
    value: 'type',
    help: 'with --id, in place of an address: what kind of source it is, such as rss or mastodon',
  },
  id: { value: 'externalId', help: 'with --type: what the source is called there' },
  folder: { value: 'folder', help: 'where to put it, such as News/Local' },
  title: { value: 'title', help: 'what to call it' },
  'max-delay': { value: 'minutes', help: 'how fresh you wish it to be, from 1 to 1440 minutes' },
} as const;

export const follow: Command = {
  name: 'follow',
  summary: SUMMARY,
  actions: [
    apiAction({
      summary: SUMMARY,
      args: { name: 'url', least: 0, most: Number.POSITIVE_INFINITY },
      options: OPTIONS,
      notes:
        'A - reads addresses from the standard input, one a line. With several, one that fails does not stop the others.',
      async run({ api, args, values, terminal, answer }) {
        const { folder, title } = values;
        const maxDelayMinutes = minutesIn(values['max-delay']);
        const wanted = await wantedSources(args, values, () => readInput(terminal));
        const outcomes = { items: [] as unknown[], failed: [] as Failure[] };
        for (const one of wanted) {
          const outcome = await tryToFollow(api, { ...one, folder, title, maxDelayMinutes });
          if (outcome instanceof Refused && wanted.length === 1) throw outcome;
          if (outcome instanceof Refused) {
            outcomes.failed.push({ ...one, problem: outcome.problem });
            terminal.err(`${printable(one.url ?? one.externalId ?? '')}: ${outcome.message}\n`);
          } else {
            outcomes.items.push(outcome);
            if (!values.json) terminal.out(inWords(outcome, terminal.colours));
          }
        }
        if (values.json) answer(wanted.length === 1 ? outcomes.items[0] : outcomes, () => '');
        return outcomes.failed.length ? EXIT.refused : EXIT.done;
      },
    }),
  ],
};

function minutesIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d{1,4}$/.test(given)) throw new UsageError('--max-delay takes whole minutes, such as 15');
  return Number(given);
}

interface WantedSource {
  url?: string;
  type?: string;
  externalId?: string;
}

interface Failure extends WantedSource {
  problem: object;
}

async function wantedSources(
  args: string[],
  { type, id }: { type: string | undefined; id: string | undefined },
  input: () => Promise<string>,
): Promise<WantedSource[]> {
  if ((type === undefined) !== (id === undefined)) throw new UsageError('--type and --id go together');
  if (type !== undefined && id !== undefined) {
    if (args.length) throw new UsageError('give an address, or --type and --id, not both');
    return [{ type, externalId: id }];
  }
  const urls = await Promise.all(args.map(async (arg) => (arg === '-' ? linesOf(await input()) : [arg])));
  if (!urls.flat().length) throw new UsageError('give the address of what you want to follow, or --type and --id');
  return urls.flat().map((url) => ({ url }));
}

async function tryToFollow(api: ApiClient, wanted: object): Promise<unknown> {
  try {
    return await api.post('/sources/follow', wanted);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function inWords(answer: unknown, colours: boolean): string {
  const { id, type, externalId, title } = read(Source, answer);
  const name = coloured(printable(title ?? externalId), 'bold', colours);
  return `Following ${name} (${type} ${printable(externalId)}) as source ${id}\n`;
}
