import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import type { Command } from '../command.js';
import { colourOf } from '../show/colour.js';
import type { Column } from '../show/table.js';
import { fromNow, shortTime } from '../show/times.js';

const Run = z.object({
  queue: z.string(),
  subject: z.string(),
  attempt: z.number(),
  outcome: z.string(),
  result: z.string().nullable(),
  cause: z.string().nullable(),
  target: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable(),
  reason: z.string().nullable(),
  startedAt: z.string(),
  ms: z.number(),
  waitedMs: z.number().nullable(),
  worker: z.string(),
  deadLetterId: z.string().nullable(),
});

const COLUMNS: Column<z.infer<typeof Run>>[] = [
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'OUTCOME', show: ({ outcome }) => outcome, colour: ({ outcome }) => colourOf(outcome) },
  { title: 'RESULT', show: ({ result }) => result, colour: ({ result }) => colourOf(result ?? '') },
  { title: 'QUEUE', show: ({ queue }) => queue },
  { title: 'ABOUT', show: ({ subject }) => subject, cuts: true },
  { title: 'TRY', show: ({ attempt }) => attempt, align: 'right' },
  { title: 'TOOK', show: ({ ms }) => shortTime(ms), align: 'right' },
  { title: 'REASON', show: ({ reason }) => reason, cuts: true },
  { title: 'CAUSE', show: ({ cause }) => cause, spare: true },
  { title: 'AT', show: ({ target }) => target, cuts: true, spare: true },
  { title: 'DETAILS', show: ({ details }) => detailsInWords(details), cuts: true, spare: true },
  { title: 'DEAD LETTER', show: ({ deadLetterId }) => deadLetterId, align: 'right', spare: true },
  { title: 'WAITED', show: ({ waitedMs }) => shortTime(waitedMs), align: 'right', spare: true },
  { title: 'WORKER', show: ({ worker }) => worker, spare: true },
];

function detailsInWords(details: z.infer<typeof Run>['details']): string | null {
  const told = Object.entries(details ?? {}).filter(([, value]) => value !== null);
  return told.length ? told.map(([name, value]) => `${name} ${value}`).join(', ') : null;
}

const list = apiAction({
  summary: 'lists what has run, newest first: how it ended, and why',
  options: {
    queue: { value: 'name', help: 'only those of this queue' },
    outcome: { value: 'outcome', help: 'only those that ended so; several with commas: failed,retried' },
    result: { value: 'result', help: 'only those whose work came to this; several with commas: failed,source_error' },
    feature: { value: 'name', help: 'only those of fetching, publishing, scraping or imports' },
    subject: { value: 'id', help: 'only those about this row, such as a source; with --queue' },
    ...LIST_OPTIONS,
  },
  notes:
    'Outcomes: done, nothing-to-do, superseded, given-back (Millrace was stopped), later (put off), retried (failed, and ' +
    'will be tried again), failed (for good). The outcome says how the run ended, the result what came of its work.',
  run: (call) => {
    const { queue, outcome, result, feature, subject } = call.values;
    return showList(call, {
      path: '/runs',
      query: { queue, outcome, result, feature, subject },
      row: Run,
      columns: COLUMNS,
      none: 'Nothing like that has run, as far back as the history goes.',
    });
  },
});

export const runs: Command = {
  name: 'runs',
  summary: 'lists what has run, how it ended and why',
  actions: [list],
};
