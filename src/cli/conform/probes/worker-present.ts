import { Breach } from '../breach.js';
import type { Probe } from '../target.js';

const HINT = 'Millrace declares the queues of MILLRACE_REMOTE_TYPES and MILLRACE_REMOTE_SCRAPERS when it starts';

export const workerPresent: Probe = {
  name: 'worker-present',
  checks: 'the queue exists and has a consumer',
  async run({ options: { client, queue, exchange } }) {
    const info = await client.queueInfo();
    if (!info) throw new Breach(`queue ${queue} does not exist; ${HINT}`);
    if (info.consumers === 0) throw new Breach(`no worker consumes from ${queue}`);
    if (!(await client.hasExchange()))
      throw new Breach(`exchange ${exchange} does not exist; name another with --exchange`);
    return `${info.consumers} ${info.consumers === 1 ? 'worker' : 'workers'}, ${info.messages} waiting commands`;
  },
};
