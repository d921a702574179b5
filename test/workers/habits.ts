import { ACCOUNT, type Command, type Deed, failure, type Habit, type Seen, success } from './scripted-worker.js';

export type Which = (command: Command, seen: Seen) => unknown;

/** Behaves well except with the matching commands. */
export const only =
  (which: Which, deed: (command: Command, seen: Seen) => Deed): Habit =>
  (seen) =>
    seen.command && which(seen.command, seen) ? deed(seen.command, seen) : seen.good;

/** Behaves well except with the first command. */
export function atFirst(deed: (command: Command, seen: Seen) => Deed): Habit {
  let commands = 0;
  return only(() => {
    commands += 1;
    return commands === 1;
  }, deed);
}

/** Behaves well except with messages that cannot be read. */
export const misunderstanding =
  (which: (body: Record<string, unknown>) => unknown, deed: (seen: Seen) => Deed): Habit =>
  (seen) =>
    !seen.command && which(seen.body as Record<string, unknown>) ? deed(seen) : seen.good;

/** Behaves well except when a command is repeated. */
export function whenTwice(deed: (command: Command) => Deed): Habit {
  const known = new Set<string>();
  return only(({ jobId }) => {
    const isKnown = known.has(jobId);
    known.add(jobId);
    return isKnown;
  }, deed);
}

/** The answer of a good worker with changes. */
export const but =
  (change: object) =>
  (_: Command, { good }: Seen): Deed => ({ reply: { ...(good.reply as object), ...change } });

export const dataBut =
  (change: object) =>
  (command: Command): Deed => ({ reply: { ...success(command), data: { ...success(command).data, ...change } } });

export const failing =
  (code: string, more: object = {}) =>
  (command: Command): Deed => ({ reply: failure(command, code, more) });

export const silent = (): Deed => ({});
export const crash = (): Deed => ({ crash: true });
export const answerAll = (command: Command): Deed => ({ reply: success(command) });
export const isUnknown: Which = (command) => 'externalId' in command && command.externalId !== ACCOUNT;
export const isHuge: Which = ({ params }) => params.limit === 1_000_000;
export const isPressing: Which = ({ timeout }) => timeout === 2_000;
export const hasCursor: Which = ({ params }) => params.cursor;
export const notJson = (body: unknown) => Buffer.isBuffer(body);
