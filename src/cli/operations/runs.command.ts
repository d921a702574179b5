import { apiAction } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import type { Command } from '../command.js';
import type { Column } from '../show/table.js';
import { colourOf } from '../show/text.js';
import { fromNow, shortTime } from '../show/times.js';

type Run = Answer<'get', '/runs'>['items'][number];

const COLUMNS: Column<Run>[] = [
  { title: 'STARTED', show: ({ startedAt }) => fromNow(startedAt) },
  { title: 'OUTCOME', show: ({ outcome }) => outcome, colour: ({ outcome }) => colourOf(outcome) },
  { title: 'RESULT', show: ({ result }) => result, colour: ({ result }) => colourOf(result ?? '') },
  { title: 'QUEUE', show: ({ queue }) => queue },
  { title: 'SUBJECT', show: ({ subject }) => subject, truncates: true },
  { title: 'ATTEMPT', show: ({ attempt }) => attempt, align: 'right' },
  { title: 'DURATION', show: ({ ms }) => shortTime(ms), align: 'right' },
  { title: 'REASON', show: ({ reason }) => reason, truncates: true },
  { title: 'CAUSE', show: ({ cause }) => cause, optional: true },
  { title: 'TARGET', show: ({ target }) => target, truncates: true, optional: true },
  { title: 'DETAILS', show: ({ details }) => detailsOf(details), truncates: true, optional: true },
  { title: 'DEAD LETTER', show: ({ deadLetterId }) => deadLetterId, align: 'right', optional: true },
  { title: 'WAITED', show: ({ waitedMs }) => shortTime(waitedMs), align: 'right', optional: true },
  { title: 'WORKER', show: ({ worker }) => worker, optional: true },
];

function detailsOf(details: Run['details']): string | null {
  const known = Object.entries(details ?? {}).filter(([, value]) => value !== null);
  return known.length ? known.map(([name, value]) => `${name} ${value}`).join(', ') : null;
}

const list = apiAction({
  summary: 'Lists runs of jobs, newest first: how they ended and why',
  options: {
    queue: { value: 'name', help: 'Filter by queue' },
    outcome: { value: 'outcome', help: 'Filter by outcome; separate several with commas: failed,retried' },
    result: { value: 'result', help: 'Filter by result; separate several with commas: failed,source_error' },
    feature: { value: 'name', help: 'Filter by feature: fetching, publishing, scraping or imports' },
    subject: { value: 'id', help: 'Filter by row, such as a source; use with --queue' },
    ...LIST_OPTIONS,
  },
  notes:
    'Outcomes: done, nothing-to-do, superseded, given-back (Millrace was stopped), later (postponed), retried (failed and ' +
    'will be retried), failed (permanently). The outcome is how the run ended, the result is what its work achieved.',
  run: (call) => {
    const { queue, outcome, result, feature, subject } = call.values;
    return showList(call, {
      path: '/runs',
      input: { query: { queue, outcome, result, feature, subject } },
      columns: COLUMNS,
      none: 'No runs found in the history.',
    });
  },
});

export const runs: Command = {
  name: 'runs',
  summary: 'Lists runs of jobs, how they ended and why',
  actions: [list],
};
