import { Breach } from '../breach.js';
import type { Probe } from '../probe.js';
import type { Target } from '../target.js';

const AN_HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_000;
const QUIET_MS = 3_000;
/** More than a worker takes at a time, as a rule. */
const PER_WORKER = 20;
const MAX_COMMANDS = 200;

export const expiredCommand: Probe = {
  name: 'expired-command',
  checks: 'a command whose time is over is not answered, and the worker goes on',
  async run(target) {
    // First one alone, so that a worker which does the work all the same bothers its site once.
    await staySilent(target, { commands: 1, quietMs: QUIET_MS });
    // One that was not acknowledged stays with the worker and cannot be seen from here. So many of them take up all that
    // each worker may hold at a time, and then a good command is not answered any more.
    const { consumers = 1 } = (await target.options.line.queueInfo()) ?? {};
    await staySilent(target, { commands: Math.min(PER_WORKER * consumers, MAX_COMMANDS), quietMs: 0 });
    return 'not answered; the next good command is';
  },
};

async function staySilent(target: Target, { commands, quietMs }: { commands: number; quietMs: number }): Promise<void> {
  const { line, timeoutMs } = target.options;
  const expired = Array.from({ length: commands }, () =>
    target.command({ sentAt: new Date(Date.now() - AN_HOUR_MS), timeoutMs: TIMEOUT_MS }),
  );
  // The messages themselves live on, or RabbitMQ would drop them before the worker sees them.
  for (const command of expired) target.send(command, timeoutMs);
  const ids = new Set(expired.map(({ jobId }) => jobId));
  const goesOn = await target.answers();
  const answered = await line.take(({ correlationId }) => ids.has(correlationId ?? ''), quietMs);
  if (answered) throw new Breach('a command that expired an hour ago was answered');
  if (!goesOn) throw new Breach('after expired commands a good one was not answered: were they acknowledged?');
}
