import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, UsageError } from '../command.js';
import { colourOf } from '../show/colour.js';
import { printable, printableLines } from '../show/printable.js';
import { type Column, facts } from '../show/table.js';
import { fromNow, localTime } from '../show/times.js';

const DeadLetter = z.object({
  id: z.string(),
  queue: z.string(),
  jobName: z.string(),
  payload: z.unknown(),
  reason: z.string(),
  attempts: z.number(),
  firstFailedAt: z.string(),
  lastFailedAt: z.string(),
  state: z.string(),
  history: z.array(z.object({ at: z.string(), reason: z.string() })),
});
type DeadLetter = z.infer<typeof DeadLetter>;

const COLUMNS: Column<DeadLetter>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATE', show: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { title: 'QUEUE', show: ({ queue }) => queue },
  { title: 'TRIES', show: ({ attempts }) => attempts, align: 'right' },
  { title: 'FAILED', show: ({ lastFailedAt }) => fromNow(lastFailedAt) },
  { title: 'REASON', show: ({ reason }) => reason, cuts: true },
  { title: 'JOB', show: ({ jobName }) => jobName, spare: true },
];

const FILTER = {
  queue: { value: 'name', help: 'only those of this queue' },
  job: { value: 'name', help: 'only those of jobs with this name' },
  reason: { value: 'text', help: 'only those with this in their reason' },
  after: { value: 'time', help: 'only those that failed after this time, such as 2027-03-29T09:00' },
  before: { value: 'time', help: 'only those that failed before this time' },
} as const;

function filterOf({ queue, job, reason, after, before }: Record<keyof typeof FILTER, string | undefined>) {
  return { queue, jobName: job, reason, failedAfter: instant('after', after), failedBefore: instant('before', before) };
}

function instant(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new UsageError(`--${name} takes a time such as 2027-03-29T09:00, not ${text}`);
  return moment.toISOString();
}

const list = apiAction({
  word: 'list',
  summary: 'lists what failed for good, newest first',
  options: {
    state: {
      value: 'state',
      help: 'only those that are (default: open)',
      choices: ['open', 'replayed', 'discarded', 'any'],
    },
    ...FILTER,
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const { state = 'open' } = call.values;
    const query = { ...filterOf(call.values), state: state === 'any' ? undefined : state };
    return showList(call, {
      path: '/dead-letters',
      query,
      row: DeadLetter,
      columns: COLUMNS,
      none: 'There are no dead letters like that.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'shows one, with what it carries and how it failed',
  args: { name: 'id', least: 1, most: 1 },
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const letter = await api.get(`/dead-letters/${encodeURIComponent(id)}`);
    return answer(letter, () => inWords(read(DeadLetter, letter)));
  },
});

function inWords(letter: DeadLetter): string {
  const rows = facts([
    ['dead letter', letter.id],
    ['state', letter.state],
    ['queue', letter.queue],
    ['job', letter.jobName],
    ['tries', letter.attempts],
    ['first failed', localTime(letter.firstFailedAt)],
    ['last failed', localTime(letter.lastFailedAt)],
    ['reason', letter.reason],
  ]);
  const history = letter.history.map(({ at, reason }) => `${localTime(at)}  ${printable(reason)}\n`).join('');
  return `${rows}\n${printableLines(JSON.stringify(letter.payload, null, 2))}\n\n${history}`;
}

const Replayed = z.object({ replayed: z.number(), refused: z.array(z.object({ id: z.string(), why: z.string() })) });
const Discarded = z.object({ discarded: z.number() });

/** By id, or all open ones that fit a filter; all there are only if that is said. */
const close = (word: 'replay' | 'discard', summary: string, inWordsToo: (answer: unknown) => string) =>
  apiAction({
    word,
    summary,
    args: { name: 'id', least: 0, most: Number.POSITIVE_INFINITY },
    options: { ...FILTER, all: { help: 'all that are open' } },
    async run({ api, args, values, answer }) {
      const filter = filterOf(values);
      const isFiltered = values.all || Object.values(filter).some((value) => value !== undefined);
      if (args.length > 0 === isFiltered)
        throw new UsageError('say which: ids, or a filter such as --queue fetch-rss, or --all');
      if (isFiltered) {
        const done = await api.post(`/dead-letters/${word}`, filter);
        const code = answer(done, () => inWordsToo(done));
        return word === 'replay' && read(Replayed, done).refused.length ? EXIT.failed : code;
      }
      const items: unknown[] = [];
      for (const id of args) items.push(await api.post(`/dead-letters/${encodeURIComponent(id)}/${word}`));
      const past = word === 'replay' ? 'Replayed' : 'Discarded';
      return answer(items.length === 1 ? items[0] : { items, nextCursor: null }, () => `${past} ${args.join(', ')}\n`);
    },
  });

const replay = close('replay', 'runs them anew', (answer) => {
  const { replayed, refused } = read(Replayed, answer);
  return [`Replayed ${replayed}\n`, ...refused.map(({ id, why }) => `${id} was not: ${printable(why)}\n`)].join('');
});

const discard = close('discard', 'lets them go', (answer) => `Discarded ${read(Discarded, answer).discarded}\n`);

export const deadLetters: Command = {
  name: 'dead-letters',
  summary: 'shows what failed for good, runs it anew or lets it go',
  actions: [list, show, replay, discard],
};
