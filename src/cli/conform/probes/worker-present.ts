import { Breach } from '../breach.js';
import type { Probe } from '../probe.js';

const WHO_DECLARES_IT =
  'Millrace declares those of MILLRACE_REMOTE_TYPES and MILLRACE_REMOTE_SCRAPERS, and of no other, when it starts';

export const workerPresent: Probe = {
  name: 'worker-present',
  checks: 'the queue is there and somebody consumes from it',
  async run({ options: { line, queue, exchange } }) {
    const info = await line.queueInfo();
    if (!info) throw new Breach(`there is no queue ${queue}; ${WHO_DECLARES_IT}`);
    if (info.consumers === 0) throw new Breach(`no worker consumes from ${queue}`);
    if (!(await line.hasExchange())) throw new Breach(`there is no exchange ${exchange}; --exchange names another`);
    return `${info.consumers} ${info.consumers === 1 ? 'worker' : 'workers'}, ${info.messages} commands wait`;
  },
};
