import type { Fleet } from '../harness/fleet.js';
import { between, each, type Usage, usageOf } from '../harness/usage.js';
import { makeAccount, perSecond, publishAll } from '../publish/posts.js';
import { Receiver } from '../publish/receiver.js';
import { type Cost, cost } from './cost.js';
import { total } from './sources.js';

const COUNT = 1_000;

/** Measures posts that become due at one moment on a platform that answers at once. */
export async function publicationCosts(fleet: Fleet, idle: Usage): Promise<Cost[]> {
  const { key, databaseUrl } = fleet;
  const publishing = { address: fleet.addresses.api ?? '', key, databaseUrl };
  const receiver = await Receiver.start();
  try {
    const accountId = await makeAccount(publishing, receiver);
    const posts = { receiver, count: COUNT, delayMs: 0, concurrency: 1 };
    const before = await usageOf(fleet);
    const published = await publishAll(publishing, accountId, posts);
    const used = each(between(before, await usageOf(fleet), idle), COUNT);
    const worker = used.cpu.worker ?? 0;
    return [
      cost('publication worker', worker * 1_000, { what: 'CPU of a publication, in worker', unit: 'ms' }),
      cost('publication others', (total(used) - worker) * 1_000, { what: '  in all other parts', unit: 'ms' }),
      cost('publications', perSecond(published), { what: '  out in a second, by one worker', unit: '' }),
    ];
  } finally {
    receiver.stop();
  }
}
