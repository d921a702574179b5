import { Breach } from '../breach.js';
import type { Probe } from '../target.js';

const TIMEOUT_MS = 2_000;
/** Allowance for the way from the worker to here. */
const GRACE_MS = 500;
/** How long to wait for an answer that is late. */
const LATE_MS = 10_000;

export const slowAnswer: Probe = {
  name: 'slow-answer',
  checks: 'a command with a timeout of 2 s is answered in time or not at all',
  async run(target) {
    const { client, timeoutMs } = target.options;
    const sentAt = new Date();
    const command = target.command({ sentAt, timeoutMs: TIMEOUT_MS });
    const id = command.jobId;
    target.send(command, TIMEOUT_MS);
    const waitMs = TIMEOUT_MS + GRACE_MS + Math.min(LATE_MS, timeoutMs);
    const reply = await client.take((candidate) => target.isFor(id, candidate), waitMs);
    if (reply) {
      const ms = reply.at - sentAt.getTime();
      if (ms > TIMEOUT_MS + GRACE_MS) throw new Breach(`answered after ${(ms / 1_000).toFixed(1)} s`);
      target.read(reply, id);
      return `answered in ${ms} ms`;
    }
    if (!(await target.answers({ after: 1 })))
      throw new Breach('no answer to a good command after one that was not answered');
    return 'not answered in time, nor later';
  },
};
