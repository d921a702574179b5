import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { eventually, newSender, startIntake } from '../../../test/scraping/intake.js';
import type { ScrapeJobView } from '../jobs/scrape-job-view.js';

const given = testDatabase();
const broker = rabbitmqUrl();

async function ready(config = {}) {
  const millrace = await startIntake(
    { databaseUrl: given.url, rabbitmqUrl: broker },
    { scrapeIntake: 'off', ...config },
  );
  const { send, connection } = newSender(broker);
  const post = async (criteria: object = {}): Promise<string> => {
    const body = { search_query: 'mills', source_types: ['one', 'other'], ...criteria };
    return (await millrace.ask('POST', '/jobs/scrape', 'ann', body)).body.id;
  };
  const job = async (id: string): Promise<ScrapeJobView> =>
    (await millrace.ask('GET', `/jobs/scrape/${id}`, 'ann')).body;
  return {
    ...millrace,
    connection,
    post,
    job,
    result: (job_id: string, result: object) => send({ job_id, ...result }, { routingKey: 'scrape_results' }),
    becomes: (id: string, expected: object) =>
      eventually(async () => {
        expect(await job(id)).toMatchObject(expected);
      }),
    names: async (id: string): Promise<string[]> =>
      (await millrace.ask('GET', `/jobs/scrape/${id}/leads`, 'ann')).body.items.map(({ name }: Named) => name).sort(),
  };
}

interface Named {
  name: string;
}

const lead = (name: string, more = {}) => ({ name, domain: `${name.toLowerCase()}-inc.com`, ...more });

describe('a result of an external worker', () => {
  it('starts a job, gets it on, and ends it, each source type by itself if it says so', async () => {
    const { post, result, becomes, job } = await ready();
    const id = await post();
    await becomes(id, { status: 'queued', started_at: null });
    await result(id, { status: 'running' });
    await becomes(id, { status: 'running', by_source: [{ status: 'running' }, { status: 'running' }] });
    await result(id, { status: 'completed', source_type: 'Other', leads: [lead('Ada')] });
    await becomes(id, { status: 'running', by_source: [{ status: 'running' }, { status: 'completed', found: 1 }] });
    await result(id, { status: 'failed', source_type: 'one' });
    await becomes(id, { status: 'partial', error: 'one: the worker reported a failure without a reason' });
    const [failed, completed] = (await job(id)).by_source;
    expect([failed?.found, completed?.found, completed?.duplicates]).toEqual([0, 1, 0]);
  });

  it('has leads of several source types, and counts of what the worker left out', async () => {
    const { post, result, becomes, names } = await ready();
    const id = await post();
    const leads = [lead('Ada'), lead('Bea', { source_type: 'other' }), lead('Cat', { source_type: 'unheard-of' })];
    await result(id, { status: 'completed', leads, counts: { total_found: 10 } });
    await becomes(id, { status: 'completed', total_found: 10, total_processed: 3 });
    await becomes(id, {
      by_source: [
        { found: 9, processed: 2 },
        { found: 1, processed: 1 },
      ],
    });
    expect(await names(id)).toEqual(['Ada', 'Bea', 'Cat']);
  });

  it('brings only leads that match the keywords, and at most as many as are allowed', async () => {
    const { post, result, becomes, names } = await ready({ scrapeMostLeads: 2 });
    const id = await post({ keywords: ['water'], source_types: ['one'] });
    const leads = [lead('Wind Mill'), lead('Water Mill'), lead('Water Wheel')].map((each, at) => ({
      ...each,
      domain: `m${at}.com`,
    }));
    await result(id, { status: 'running', leads: leads.slice(0, 2) });
    await result(id, { status: 'completed', leads: [leads[2], lead('Water Tower', { domain: 'm9.com' })] });
    await becomes(id, { status: 'completed', total_processed: 2 });
    expect(await names(id)).toEqual(['Water Mill', 'Water Wheel']);
  });

  it('counts once, however often and wherever it is delivered', async () => {
    const [one] = await Promise.all([ready(), ready()]);
    const id = await one.post();
    const same = { status: 'running', leads: [lead('Dan'), lead('Eve')] };
    await Promise.all(Array.from({ length: 20 }, (_, at) => one.result(id, { ...same, written_at: at })));
    await one.result(id, { status: 'completed', leads: [lead('Eve')] });
    await one.becomes(id, { status: 'completed', total_found: 3, total_processed: 3, duplicates: 1 });
  });

  it('may report counts of any size', async () => {
    const { post, result, becomes } = await ready();
    const id = await post();
    const sources = ['one', 'other', 'one', 'other'];
    for (const [at, source_type] of sources.entries())
      await result(id, { status: 'running', source_type, counts: { total_found: 1_000_000_000 - at } });
    await result(id, { status: 'completed' });
    await becomes(id, { status: 'completed', total_found: 200_000_000, total_processed: 0 });
  });

  it('keeps leads that arrive after the end', async () => {
    const { post, result, becomes, names } = await ready();
    const id = await post();
    await result(id, { status: 'completed', leads: [lead('Fay')] });
    await becomes(id, { status: 'completed' });
    await result(id, { status: 'running', leads: [lead('Gus')] });
    await becomes(id, { status: 'completed', total_found: 2 });
    expect(await names(id)).toEqual(['Fay', 'Gus']);
  });

  it('ends a job if it breaks the contract, until a valid one follows', async () => {
    const { post, result, becomes, letterAbout, ask, names, connection } = await ready();
    const id = await post();
    await result(id, { status: 'completed', leads: [{ domain: 'nameless.com' }] });
    await becomes(id, { status: 'failed', error: expect.stringContaining('broke the contract: leads.0.name') });
    const letter = await letterAbout('leads.0.name');
    expect(letter.payload).toMatchObject({ routingKey: 'scrape_results', body: { job_id: id } });
    expect(await ask('POST', `/dead-letters/${letter.id}/replay`)).toMatchObject({ status: 202 });
    expect(await letterAbout('leads.0.name')).toMatchObject({ links: { replayOf: letter.links.self } });
    await result(id, { status: 'completed', leads: [lead('Hal')] });
    await becomes(id, { status: 'completed', error: null });
    expect(await names(id)).toEqual(['Hal']);
    expect(await connection.queueDeclare({ queue: 'scrape_jobs', passive: true })).toMatchObject({ consumerCount: 0 });
  });

  it.each<[string, (id: string) => object, string]>([
    [
      'a source type that the job does not search',
      (job_id) => ({ job_id, status: 'completed', source_type: 'web' }),
      'source_type: ',
    ],
    ['a job that is not known', () => ({ job_id: 'nobody-asked', status: 'completed' }), 'job_id: there is no job'],
    ['no job', () => ({ status: 'completed' }), 'job_id: '],
    ['another version', (job_id) => ({ job_id, status: 'completed', schema_version: 3 }), 'schema_version: '],
  ])('becomes a dead letter with the reason if it is about %s', async (_, body, reason) => {
    const { post, result, letterAbout } = await ready();
    await result(await post(), body(await post()));
    expect(await letterAbout(reason)).toMatchObject({ queue: 'failed_jobs', jobName: 'scrape_results' });
  });
});
