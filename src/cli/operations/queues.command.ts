import { apiAction } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import type { Command, Terminal } from '../command.js';
import { type Column, table } from '../show/table.js';
import { printable } from '../show/text.js';
import { howLong, shortTime } from '../show/times.js';

type Queue = Answer<'get', '/queues'>['items'][number];

const COLUMNS: Column<Queue>[] = [
  { title: 'QUEUE', show: ({ name }) => name },
  {
    title: 'STATE',
    show: ({ paused }) => (paused ? 'paused' : 'running'),
    colour: ({ paused }) => (paused ? 'yellow' : undefined),
  },
  { title: 'WAITING', show: ({ waiting }) => waiting, align: 'right' },
  { title: 'PENDING', show: ({ waitingRows }) => waitingRows, align: 'right' },
  { title: 'ACTIVE', show: ({ active }) => active, align: 'right' },
  { title: 'DELAYED', show: ({ delayed }) => delayed, align: 'right' },
  {
    title: 'OLDEST',
    show: (queue) => (queue.oldestWaitingSeconds === null ? null : howLong(queue.oldestWaitingSeconds)),
    align: 'right',
  },
  { title: 'DONE/MIN', show: ({ donePerMinute }) => donePerMinute, align: 'right' },
  { title: 'RETRIED/MIN', show: ({ retriedPerMinute }) => retriedPerMinute, align: 'right', optional: true },
  { title: 'FAILED/MIN', show: ({ failedPerMinute }) => failedPerMinute, align: 'right' },
  { title: 'MEAN', show: ({ meanMs }) => shortTime(meanMs), align: 'right', optional: true },
];

type Rabbitmq = NonNullable<Answer<'get', '/queues'>['rabbitmq']>;
type BrokerQueue = Rabbitmq['queues'][number];

const BROKER_COLUMNS: Column<BrokerQueue>[] = [
  { title: 'RABBITMQ QUEUE', show: ({ name }) => name },
  { title: 'READY', show: ({ ready }) => ready, align: 'right' },
  { title: 'UNACKED', show: ({ unacknowledged }) => unacknowledged, align: 'right' },
  { title: 'CONSUMERS', show: ({ consumers }) => consumers, align: 'right' },
  { title: 'PUBLISHED/S', show: ({ publishedPerSecond }) => publishedPerSecond, align: 'right', optional: true },
  { title: 'DELIVERED/S', show: ({ deliveredPerSecond }) => deliveredPerSecond, align: 'right', optional: true },
  { title: 'ACKED/S', show: ({ acknowledgedPerSecond }) => acknowledgedPerSecond, align: 'right', optional: true },
];

function showBrokerQueues({ queues, error }: Rabbitmq, terminal: Terminal): string {
  return `\n${table(BROKER_COLUMNS, queues, terminal)}${error ? `${printable(error)}\n` : ''}`;
}

const list = apiAction({
  word: 'list',
  summary: 'Lists the queues and their jobs, and the queues of RabbitMQ',
  options: {},
  async run({ api, terminal, answer }) {
    const queues = await api.get('/queues');
    const { items, rabbitmq } = queues;
    return answer(queues, () => {
      return table(COLUMNS, items, terminal) + (rabbitmq ? showBrokerQueues(rabbitmq, terminal) : '');
    });
  },
});

const ARGS = { name: 'queue', min: 1, max: Number.POSITIVE_INFINITY, example: 'fetch-rss' };

const setPaused = (word: 'pause' | 'resume', summary: string) =>
  apiAction({
    word,
    summary,
    args: ARGS,
    options: {},
    async run({ api, args, terminal, answer }) {
      const items: Queue[] = [];
      for (const name of args) items.push(await api.post(`/queues/{name}/${word}`, { path: { name } }));
      return answer(oneOrList(items), () => table(COLUMNS, items, terminal));
    },
  });

const clean = apiAction({
  word: 'clean',
  summary: 'Removes finished jobs from queues and keeps those that are still to run',
  args: ARGS,
  options: {},
  async run({ api, args, answer }) {
    const items: Answer<'post', '/queues/{name}/clean'>[] = [];
    for (const name of args) items.push(await api.post('/queues/{name}/clean', { path: { name } }));
    return answer(oneOrList(items), () =>
      items.map(({ removed, queue }) => `Removed ${removed} jobs from ${queue.name}.\n`).join(''),
    );
  },
});

const oneOrList = (items: unknown[]) => (items.length === 1 ? items[0] : { items, nextCursor: null });

export const queues: Command = {
  name: 'queues',
  summary: 'Lists, pauses, resumes and cleans queues',
  actions: [
    list,
    setPaused('pause', 'Pauses queues: running jobs finish, no new ones start'),
    setPaused('resume', 'Resumes paused queues'),
    clean,
  ],
};
