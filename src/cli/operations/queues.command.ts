import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import type { Command } from '../command.js';
import { type Column, table } from '../show/table.js';
import { howLong, shortTime } from '../show/times.js';

const Queue = z.object({
  name: z.string(),
  paused: z.boolean(),
  waiting: z.number(),
  waitingRows: z.number(),
  active: z.number(),
  delayed: z.number(),
  oldestWaitingSeconds: z.number().nullable(),
  donePerMinute: z.number(),
  failedPerMinute: z.number(),
  retriedPerMinute: z.number(),
  meanMs: z.number().nullable(),
});
type Queue = z.infer<typeof Queue>;

const COLUMNS: Column<Queue>[] = [
  { title: 'QUEUE', show: ({ name }) => name },
  {
    title: 'STATE',
    show: ({ paused }) => (paused ? 'paused' : 'runs'),
    colour: ({ paused }) => (paused ? 'yellow' : undefined),
  },
  { title: 'WAITING', show: ({ waiting }) => waiting, align: 'right' },
  { title: 'IN ROWS', show: ({ waitingRows }) => waitingRows, align: 'right' },
  { title: 'ACTIVE', show: ({ active }) => active, align: 'right' },
  { title: 'LATER', show: ({ delayed }) => delayed, align: 'right' },
  {
    title: 'OLDEST',
    show: (queue) => (queue.oldestWaitingSeconds === null ? null : howLong(queue.oldestWaitingSeconds)),
    align: 'right',
  },
  { title: 'DONE/MIN', show: ({ donePerMinute }) => donePerMinute, align: 'right' },
  { title: 'RETRIED/MIN', show: ({ retriedPerMinute }) => retriedPerMinute, align: 'right', spare: true },
  { title: 'FAILED/MIN', show: ({ failedPerMinute }) => failedPerMinute, align: 'right' },
  { title: 'TAKES', show: ({ meanMs }) => shortTime(meanMs), align: 'right', spare: true },
];

const list = apiAction({
  word: 'list',
  summary: 'lists the queues, and what waits in them',
  options: {},
  async run({ api, terminal, answer }) {
    const queues = await api.get('/queues');
    return answer(queues, () => table(COLUMNS, read(z.object({ items: z.array(Queue) }), queues).items, terminal));
  },
});

const decision = (word: 'pause' | 'resume' | 'clean', summary: string) =>
  apiAction({
    word,
    summary,
    args: { name: 'queue', least: 1, most: Number.POSITIVE_INFINITY, example: 'fetch-rss' },
    options: {},
    async run({ api, args, terminal, answer }) {
      const items: unknown[] = [];
      for (const name of args) items.push(await api.post(`/queues/${encodeURIComponent(name)}/${word}`));
      return answer(items.length === 1 ? items[0] : { items, nextCursor: null }, () =>
        word === 'clean' ? items.map(cleaned).join('') : table(COLUMNS, read(z.array(Queue), items), terminal),
      );
    },
  });

function cleaned(answer: unknown): string {
  const { removed, queue } = read(z.object({ removed: z.number(), queue: Queue }), answer);
  return `Removed ${removed} from ${queue.name}\n`;
}

export const queues: Command = {
  name: 'queues',
  summary: 'lists the queues, pauses, resumes and cleans them',
  actions: [
    list,
    decision('pause', 'lets what runs end, and begins nothing new'),
    decision('resume', 'goes on'),
    decision('clean', 'removes what nobody needs; work that is to be done stays'),
  ],
};
