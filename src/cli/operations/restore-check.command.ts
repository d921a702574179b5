import { apiAction, type Call } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import type { OptionSpecs } from '../arguments.js';
import { type Command, EXIT, UsageError } from '../command.js';
import { type Column, facts, table } from '../show/table.js';
import { localTime } from '../show/times.js';

type RestoreCheck = Answer<'get', '/restore-check'>;
type Result = RestoreCheck['results'][number];

const COLUMNS: Column<Result>[] = [
  { title: 'ID', show: ({ publicationId }) => publicationId, align: 'right' },
  { title: 'OUTCOME', show: ({ outcome }) => outcome },
  { title: 'STATUS', show: ({ status }) => status },
  { title: 'PLATFORM', show: ({ platform }) => platform, optional: true },
  { title: 'ACCOUNT', show: ({ account }) => account, truncates: true },
  { title: 'DUE', show: ({ scheduledAt }) => localTime(scheduledAt) },
  { title: 'TEXT', show: ({ text }) => text, truncates: true },
  { title: 'REASON', show: ({ reason }) => reason, truncates: true },
];

const run = apiAction({
  summary: 'Searches the platforms for every post that was due since the backup, then resumes publishing',
  options: { finish: { help: 'Leave posts on platforms that cannot be read to a person, and resume' } },
  notes: 'Exit code: 1 if publishing is still held or if a person must resolve posts, otherwise 0.',
  async run(call) {
    const { api, terminal, values } = call;
    const step = { finish: values.finish === true };
    let check = await api.post('/restore-check', { body: { ...step, retry: true } });
    while (isUnderWay(check)) {
      terminal.err(`${check.remaining} posts remain to be checked.\n`);
      check = await api.post('/restore-check', { body: step });
    }
    return show(call, check);
  },
});

const status = apiAction({
  word: 'status',
  summary: 'Shows whether publishing is held, and the result of the last check',
  options: {},
  run: async (call) => show(call, await call.api.get('/restore-check')),
});

const hold = apiAction({
  word: 'hold',
  summary: 'Holds publishing until the next restore check, after a restore that Millrace could not detect',
  options: { 'backup-at': { value: 'time', help: 'Time of the backup, such as 2027-03-29T09:00:00Z' } },
  async run({ api, values, answer }) {
    const at = new Date(values['backup-at'] ?? '');
    if (Number.isNaN(at.getTime()))
      throw new UsageError('--backup-at must be the time of the backup, such as 2027-03-29T09:00:00Z.');
    const held = await api.post('/restore-check/hold', { body: { backupAt: at.toISOString() } });
    return answer(held, () => describe(held));
  },
});

const isUnderWay = ({ state, remaining }: RestoreCheck) => state === 'held' && remaining > 0;

function show({ answer, terminal }: Call<OptionSpecs>, check: RestoreCheck): number {
  const listed = check.results.length ? `\n${table(COLUMNS, check.results, terminal)}` : '';
  answer(check, () => describe(check) + listed);
  const isOpen = check.results.some((result) => result.status === 'unknown');
  if (isOpen) terminal.err('Check the platforms, then run `millrace publish resolve` for each unknown post.\n');
  return check.state === 'held' || isOpen ? EXIT.failed : EXIT.done;
}

const STATES: Record<string, string> = {
  none: 'not held',
  held: 'held: nothing is published',
  released: 'resumed',
};

function describe({ state, reason, backupAt, remaining, counts }: RestoreCheck): string {
  if (state === 'none') return 'Publishing is not held.\n';
  return facts([
    ['publishing', STATES[state] ?? state],
    ['because', reason],
    ['backup from', backupAt && localTime(backupAt)],
    ['not checked yet', remaining || null],
    ['found on the platform', counts.published],
    ['not there, can be sent', counts.to_send],
    ['unknown, a person decides', counts.unknown],
    ['platform not readable', counts.unread],
  ]);
}

export const restoreCheck: Command = {
  name: 'restore-check',
  summary: 'After a restore, finds out which posts are already published, then resumes publishing',
  actions: [run, status, hold],
};
