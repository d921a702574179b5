import { z } from 'zod';
import { apiAction, type Call } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import type { OptionSpecs } from '../arguments.js';
import { type Command, EXIT, UsageError } from '../command.js';
import { type Column, facts, table } from '../show/table.js';
import { localTime } from '../show/times.js';

const Result = z.object({
  publicationId: z.string(),
  platform: z.string(),
  account: z.string(),
  scheduledAt: z.string(),
  text: z.string(),
  status: z.string(),
  outcome: z.string(),
  reason: z.string(),
});
type Result = z.infer<typeof Result>;

const RestoreCheck = z.object({
  state: z.string(),
  reason: z.string().nullable(),
  backupAt: z.string().nullable(),
  remaining: z.number(),
  counts: z.object({ published: z.number(), to_send: z.number(), unknown: z.number(), unread: z.number() }),
  results: z.array(Result),
});
type RestoreCheck = z.infer<typeof RestoreCheck>;

const COLUMNS: Column<Result>[] = [
  { title: 'ID', show: ({ publicationId }) => publicationId, align: 'right' },
  { title: 'OUTCOME', show: ({ outcome }) => outcome },
  { title: 'STATUS', show: ({ status }) => status },
  { title: 'PLATFORM', show: ({ platform }) => platform, spare: true },
  { title: 'ACCOUNT', show: ({ account }) => account, cuts: true },
  { title: 'DUE', show: ({ scheduledAt }) => localTime(scheduledAt) },
  { title: 'TEXT', show: ({ text }) => text, cuts: true },
  { title: 'REASON', show: ({ reason }) => reason, cuts: true },
];

const run = apiAction({
  summary: 'looks on the platforms for every post that was due since the backup, then lets publishing resume',
  options: { finish: { help: 'let a person decide about posts of platforms that cannot be read, and resume' } },
  notes: 'Ends with 1 if publishing is still held, or if a person has to resolve posts.',
  async run(call) {
    const { api, terminal, values } = call;
    const step = { finish: values.finish === true };
    let answered = await api.post('/restore-check', { ...step, retry: true });
    for (let check = read(RestoreCheck, answered); isUnderWay(check); check = read(RestoreCheck, answered)) {
      terminal.err(`${check.remaining} posts remain to be looked for\n`);
      answered = await api.post('/restore-check', step);
    }
    return show(call, answered);
  },
});

const status = apiAction({
  word: 'status',
  summary: 'shows whether publishing is held, and what the last check has found',
  options: {},
  run: async (call) => show(call, await call.api.get('/restore-check')),
});

const hold = apiAction({
  word: 'hold',
  summary: 'holds publishing until the next restore check: after a restore that Millrace could not notice',
  options: { 'backup-at': { value: 'time', help: 'when the backup was taken, such as 2027-03-29T09:00:00Z' } },
  async run({ api, values, answer }) {
    const at = new Date(values['backup-at'] ?? '');
    if (Number.isNaN(at.getTime())) throw new UsageError('--backup-at needs the time at which the backup was taken');
    const held = await api.post('/restore-check/hold', { backupAt: at.toISOString() });
    return answer(held, () => inWords(read(RestoreCheck, held)));
  },
});

const isUnderWay = ({ state, remaining }: RestoreCheck) => state === 'held' && remaining > 0;

function show({ answer, terminal }: Call<OptionSpecs>, answered: unknown): number {
  const check = read(RestoreCheck, answered);
  const listed = check.results.length ? `\n${table(COLUMNS, check.results, terminal)}` : '';
  answer(answered, () => inWords(check) + listed);
  const isOpen = check.results.some(({ status: now }) => now === 'unknown');
  if (isOpen)
    terminal.err('Look on the platforms, then run `millrace publish resolve` for each post that is unknown.\n');
  return check.state === 'held' || isOpen ? EXIT.failed : EXIT.done;
}

const STATES: Record<string, string> = {
  none: 'not held',
  held: 'held: nothing is published',
  released: 'resumed',
};

function inWords({ state, reason, backupAt, remaining, counts }: RestoreCheck): string {
  if (state === 'none') return 'Publishing is not held.\n';
  return facts([
    ['publishing', STATES[state] ?? state],
    ['because', reason],
    ['backup from', backupAt && localTime(backupAt)],
    ['not looked for yet', remaining || null],
    ['found on the platform', counts.published],
    ['not there, may be sent', counts.to_send],
    ['for a person to decide', counts.unknown],
    ['platform not readable', counts.unread],
  ]);
}

export const restoreCheck: Command = {
  name: 'restore-check',
  summary: 'after a restore: finds out which posts are out already, then lets publishing resume',
  actions: [run, status, hold],
};
