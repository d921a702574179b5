import { Breach } from '../breach.js';
import type { Probe } from '../probe.js';

const TIMEOUT_MS = 2_000;
/** For the way from the worker to here. */
const GRACE_MS = 500;
/** So long an answer that is late is waited for. */
const LATE_MS = 10_000;

export const slowAnswer: Probe = {
  name: 'slow-answer',
  checks: 'a command with 2 s is answered within them or not at all',
  async run(target) {
    const { line, timeoutMs } = target.options;
    const sentAt = new Date();
    const command = target.command({ sentAt, timeoutMs: TIMEOUT_MS });
    const id = command.jobId;
    target.send(command, TIMEOUT_MS);
    const patienceMs = TIMEOUT_MS + GRACE_MS + Math.min(LATE_MS, timeoutMs);
    const reply = await line.take((candidate) => target.isFor(id, candidate), patienceMs);
    if (reply) {
      const ms = reply.at - sentAt.getTime();
      if (ms > TIMEOUT_MS + GRACE_MS) throw new Breach(`answered after ${(ms / 1_000).toFixed(1)} s`);
      target.read(reply, id);
      return `answered in ${ms} ms`;
    }
    if (!(await target.answers({ after: 1 })))
      throw new Breach('after a command that it did not answer, it answers none');
    return 'not answered in time, and not later';
  },
};
