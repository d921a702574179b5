import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { startReader } from '../harness/reader.js';
import { eventually, newMessage, newSender, startIntake } from '../scraping/intake.js';
import { describeWithPython, pythonProgram } from '../workers/python.js';
import { startWorkerProgram } from '../workers/worker-program.js';

const CLIENTS = 'test/compat/clients';
const WAIT_OPTIONS = { timeout: 60_000, interval: 250 };

function startClient(url: string, command: string, args: string[]) {
  const client = startWorkerProgram(command, args, { RABBITMQ_URL: url });
  onTestFinished(() => void client.end('SIGKILL'));
  return client;
}

describeWithPython('workers that teams wrote themselves', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();

  it.each([
    ['a pika RPC server', 'pika', ['Post 1', 'Post 2']],
    ['an amqplib consumer', 'amqplib', ['From Node']],
  ])('%s that declared its queue first is used as it is', { timeout: 120_000 }, async (_, type, titles) => {
    const [program, file] = type === 'pika' ? [pythonProgram(), 'rpc_server.py'] : [process.execPath, 'consumer.mjs'];
    const worker = startClient(rabbitmq, program, [`${CLIENTS}/${file}`, `fetch.${type}`]);
    await expect.poll(() => worker.printed(), WAIT_OPTIONS).toContain('waiting for requests');
    const reader = await startReader(db.url, { rabbitmqUrl: rabbitmq, remoteTypes: [type] });
    const ann = reader.as(`ann-${type}`);
    const { body } = await ann.send('POST', '/sources/follow', { type, externalId: 'ada' });
    await expect.poll(async () => (await ann.titles()).toSorted(), WAIT_OPTIONS).toEqual(titles);
    const adapted = reader.lines.filter(({ event }) => event === 'worker_answer_adapted').map(({ msg }) => msg);
    expect(adapted).toContainEqual(expect.stringContaining('a time without a zone counts as UTC'));
    expect(new Set(adapted).size).toBe(adapted.length);
    if (type !== 'pika') return;
    const fetches = async () => (await ann.send('GET', `/sources/${body.id}/fetches`)).body.items;
    await expect.poll(fetches, WAIT_OPTIONS).toMatchObject([{ totalAvailable: 12, skippedCount: 3 }]);
    const broken = await ann.send('POST', '/sources/follow', { type, externalId: 'broken' });
    await expect
      .poll(async () => (await ann.source(broken.body.id)).lastError, WAIT_OPTIONS)
      .toBe('the page has changed');
  });
});

describeWithPython('a pika publisher that declares scrape_jobs in two ways', () => {
  const db = testDatabase();
  const [afterUs, beforeUs, waiting, alike] = [rabbitmqUrl(), rabbitmqUrl(), rabbitmqUrl(), rabbitmqUrl()];

  async function publish(url: string, ...args: string[]) {
    const publisher = startClient(url, pythonProgram(), [`${CLIENTS}/publisher.py`, ...args]);
    expect(await publisher.ended, publisher.printed()).toBe(0);
    return publisher.printed().trim().split('\n');
  }

  it('may declare it plainly after Millrace has, and its job arrives', { timeout: 120_000 }, async () => {
    const { jobs, letters } = await startIntake({ databaseUrl: db.url, rabbitmqUrl: afterUs });
    expect(await publish(afterUs, 'late', 'dlx,plain')).toEqual(['refused dlx 406', 'declared plain', 'sent']);
    await eventually(async () => expect((await jobs('7')).map(({ id }) => id)).toContain('late'));
    expect(await letters()).toEqual([]);
  });

  it('may declare it with dead-lettering before Millrace does, which uses it as it is', {
    timeout: 120_000,
  }, async () => {
    expect(await publish(beforeUs, 'early', 'dlx')).toEqual(['declared dlx', 'sent']);
    const { jobs, lines } = await startIntake({ databaseUrl: db.url, rabbitmqUrl: beforeUs });
    await eventually(async () => expect((await jobs('7')).map(({ id }) => id)).toContain('early'));
    expect(lines.filter(({ level }) => level === 50)).toEqual([]);
  });

  it.each([
    ['wait', waiting],
    ['dead-letter', alike],
  ] as const)(
    'may declare it with dead-lettering after Millrace has started with MILLRACE_SCRAPE_QUEUE_FORM=%s',
    {
      timeout: 120_000,
    },
    async (scrapeQueueForm, url) => {
      const { jobs, lines } = await startIntake({ databaseUrl: db.url, rabbitmqUrl: url }, { scrapeQueueForm });
      expect(await publish(url, scrapeQueueForm, 'dlx,plain')).toEqual(['declared dlx', 'refused plain 406', 'sent']);
      await eventually(async () => expect((await jobs('7')).map(({ id }) => id)).toContain(scrapeQueueForm));
      const { connection } = newSender(url);
      const throughExchange = { exchange: 'source.fetcher', routingKey: 'scrape_jobs' };
      await connection
        .createPublisher({ confirm: true })
        .send(throughExchange, newMessage({ user_id: '7', job_id: `bound-${scrapeQueueForm}` }));
      await eventually(async () => expect((await jobs('7')).map(({ id }) => id)).toContain(`bound-${scrapeQueueForm}`));
      expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    },
  );
});
