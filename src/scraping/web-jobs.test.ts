import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { rabbitmqUrl } from '../../test/harness/rabbitmq.js';
import { startSite } from '../../test/harness/site.js';
import { startSearching } from '../../test/scraping/searching.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };

describe('a job that crawls sites', () => {
  const db = testDatabase();
  const rabbitmq = rabbitmqUrl();

  async function run(criteria: (address: string) => object) {
    const { url } = await startSite((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url === '/old') response.writeHead(302, { location: '/' });
      if (request.url === '/robots.txt' || request.url === '/sitemap.xml') response.writeHead(404);
      response.end('<title>Acme</title>');
    });
    const searching = await startSearching(
      { databaseUrl: db.url, rabbitmqUrl: rabbitmq },
      {},
      { allowNetworks: ['127.0.0.1'] },
    );
    const ann = searching.as('ann');
    const { id } = await ann.post({ source_types: ['web'], ...criteria(url('/old', '127.0.0.1')) });
    await expect.poll(async () => (await ann.job(id)).completed_at, WAIT_OPTIONS).toBeTruthy();
    return ann.job(id);
  }

  it('is completed where some of them cannot be read, and says which and why', async () => {
    const job = await run((address) => ({ filters: { sites: [address, 'http://10.0.0.1/'] } }));
    const error = expect.stringMatching(/1 of 2 sites could not be read: http:\/\/10\.0\.0\.1 /);
    expect(job).toMatchObject({
      status: 'completed',
      total_found: 1,
      error,
      by_source: [{ status: 'completed', error }],
    });
  });

  it('keeps what it finds at those that were given as keywords, wherever they lead', async () => {
    const job = await run((address) => ({ keywords: [address] }));
    expect(job).toMatchObject({ status: 'completed', total_found: 1, total_processed: 1, error: null });
  });
});
