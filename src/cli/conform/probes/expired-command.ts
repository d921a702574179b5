import { Breach } from '../breach.js';
import type { Probe, Target } from '../target.js';

const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_000;
const QUIET_MS = 3_000;
/** Usually more than a worker takes at a time. */
const COMMANDS_PER_WORKER = 20;
const MAX_COMMANDS = 200;

export const expiredCommand: Probe = {
  name: 'expired-command',
  checks: 'an expired command is not answered, and the worker continues',
  async run(target) {
    // A single command comes first, so that a worker that ignores the deadline requests its site only once.
    await expectSilence(target, { commands: 1, quietMs: QUIET_MS });
    // Commands that are not acknowledged stay with the worker, invisible from here. This many of them use up all that
    // each worker may hold at a time, so that a good command is not answered any more.
    const { consumers = 1 } = (await target.options.client.queueInfo()) ?? {};
    await expectSilence(target, { commands: Math.min(COMMANDS_PER_WORKER * consumers, MAX_COMMANDS), quietMs: 0 });
    return 'not answered, but the next good command is';
  },
};

async function expectSilence(
  target: Target,
  { commands, quietMs }: { commands: number; quietMs: number },
): Promise<void> {
  const { client, timeoutMs } = target.options;
  const expired = Array.from({ length: commands }, () =>
    target.command({ sentAt: new Date(Date.now() - HOUR_MS), timeoutMs: TIMEOUT_MS }),
  );
  // The message expires later than the command, or RabbitMQ would drop it before the worker sees it.
  for (const command of expired) target.send(command, timeoutMs);
  const ids = new Set(expired.map(({ jobId }) => jobId));
  const continues = await target.answers();
  const answered = await client.take(({ correlationId }) => ids.has(correlationId ?? ''), quietMs);
  if (answered) throw new Breach('a command that expired an hour ago was answered');
  if (!continues) throw new Breach('no answer to a good command after expired ones; were they acknowledged?');
}
