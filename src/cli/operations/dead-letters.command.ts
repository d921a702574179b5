import { apiAction } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, EXIT, UsageError } from '../command.js';
import { type Column, facts } from '../show/table.js';
import { colourOf, printable, printableLines } from '../show/text.js';
import { fromNow, localTime } from '../show/times.js';

type DeadLetter = Answer<'get', '/dead-letters/{id}'>;

const COLUMNS: Column<DeadLetter>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'STATE', show: ({ state }) => state, colour: ({ state }) => colourOf(state) },
  { title: 'QUEUE', show: ({ queue }) => queue },
  { title: 'ATTEMPTS', show: ({ attempts }) => attempts, align: 'right' },
  { title: 'FAILED', show: ({ lastFailedAt }) => fromNow(lastFailedAt) },
  { title: 'REASON', show: ({ reason }) => reason, truncates: true },
  { title: 'JOB', show: ({ jobName }) => jobName, optional: true },
];

const FILTER = {
  queue: { value: 'name', help: 'Filter by queue' },
  job: { value: 'name', help: 'Filter by name of the job' },
  reason: { value: 'text', help: 'Search in reasons' },
  after: { value: 'time', help: 'Only jobs that failed after this time, such as 2027-03-29T09:00' },
  before: { value: 'time', help: 'Only jobs that failed before this time' },
} as const;

function filterOf({ queue, job, reason, after, before }: Record<keyof typeof FILTER, string | undefined>) {
  return { queue, jobName: job, reason, failedAfter: instant('after', after), failedBefore: instant('before', before) };
}

function instant(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new UsageError(`--${name} must be a time such as 2027-03-29T09:00, not \`${text}\`.`);
  return moment.toISOString();
}

const list = apiAction({
  word: 'list',
  summary: 'Lists jobs that failed permanently, newest first',
  options: {
    state: {
      value: 'state',
      help: 'Filter by state (default: open)',
      choices: ['open', 'replayed', 'discarded', 'any'],
    },
    ...FILTER,
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const { state = 'open' } = call.values;
    return showList(call, {
      path: '/dead-letters',
      input: { query: { ...filterOf(call.values), state: state === 'any' ? undefined : state } },
      columns: COLUMNS,
      none: 'No dead letters found.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'Shows a dead letter with its data and its failures',
  args: { name: 'id', min: 1, max: 1 },
  options: {},
  async run({ api, args: [id = ''], answer }) {
    const letter = await api.get('/dead-letters/{id}', { path: { id } });
    return answer(letter, () => describe(letter));
  },
});

function describe(letter: DeadLetter): string {
  const rows = facts([
    ['dead letter', letter.id],
    ['state', letter.state],
    ['queue', letter.queue],
    ['job', letter.jobName],
    ['attempts', letter.attempts],
    ['first failed', localTime(letter.firstFailedAt)],
    ['last failed', localTime(letter.lastFailedAt)],
    ['reason', letter.reason],
  ]);
  const history = letter.history.map(({ at, reason }) => `${localTime(at)}  ${printable(reason)}\n`).join('');
  return `${rows}\n${printableLines(JSON.stringify(letter.payload, null, 2))}\n\n${history}`;
}

type Closing = 'replay' | 'discard';
const PAST = { replay: 'Replayed', discard: 'Discarded' };

/** Closes dead letters by id, or all open ones that match a filter. Closing all of them needs --all. */
const close = (word: Closing, summary: string) =>
  apiAction({
    word,
    summary,
    args: { name: 'id', min: 0, max: Number.POSITIVE_INFINITY },
    options: { ...FILTER, all: { help: 'All open dead letters' } },
    async run({ api, args, values, answer }) {
      const filter = filterOf(values);
      const isFiltered = values.all || Object.values(filter).some((value) => value !== undefined);
      if (args.length > 0 === isFiltered)
        throw new UsageError('Choose dead letters by id, by a filter such as --queue fetch-rss, or with --all.');
      if (isFiltered) {
        const closed = await api.post(`/dead-letters/${word}`, { body: filter });
        const count = 'replayed' in closed ? closed.replayed : closed.discarded;
        const refused = closed.refused.map(({ id, why }) => `Could not ${word} ${id}: ${printable(why)}\n`);
        answer(closed, () => [`${PAST[word]} ${count}.\n`, ...refused].join(''));
        return closed.refused.length ? EXIT.failed : EXIT.done;
      }
      const items: DeadLetter[] = [];
      for (const id of args) items.push(await api.post(`/dead-letters/{id}/${word}`, { path: { id } }));
      return answer(
        items.length === 1 ? items[0] : { items, nextCursor: null },
        () => `${PAST[word]} ${args.join(', ')}.\n`,
      );
    },
  });

export const deadLetters: Command = {
  name: 'dead-letters',
  summary: 'Lists jobs that failed permanently, and replays or discards them',
  actions: [list, show, close('replay', 'Runs dead letters again'), close('discard', 'Discards dead letters')],
};
