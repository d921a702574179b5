import { expect, it, onTestFinished } from 'vitest';
import type { LogLine } from '../harness/api.js';
import { testDatabase } from '../harness/database.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { eventually, newSender, startIntake } from '../scraping/intake.js';
import { describeWithPython, pythonProgram } from '../workers/python.js';
import { startWorkerProgram } from '../workers/worker-program.js';

describeWithPython("a team's own scraper_worker.py", () => {
  const db = testDatabase();
  const [url, emptyUrl] = [rabbitmqUrl(), rabbitmqUrl()];

  function startWorker(form = 'plain', rabbitmq = url) {
    const args = ['test/compat/clients/scraper_worker.py', form];
    const worker = startWorkerProgram(pythonProgram(), args, { RABBITMQ_URL: rabbitmq });
    onTestFinished(() => void worker.end('SIGKILL'));
    return worker;
  }

  async function startMillrace(config = {}, rabbitmq = url) {
    const millrace = await startIntake(
      { databaseUrl: db.url, rabbitmqUrl: rabbitmq },
      { scrapeIntake: 'off', ...config },
    );
    const post = async (search_query: string, source_types = ['google']) => {
      const { status, body } = await millrace.ask('POST', '/jobs/scrape', 'ann', { search_query, source_types });
      expect(status, JSON.stringify(body)).toBe(202);
      return body.id as string;
    };
    const job = async (id: string) => (await millrace.ask('GET', `/jobs/scrape/${id}`, 'ann')).body;
    const ended = (id: string) =>
      eventually(async () => {
        const found = await job(id);
        expect(found.completed_at, JSON.stringify(found)).not.toBeNull();
        return found;
      });
    const names = async (id: string) =>
      (await millrace.ask('GET', `/jobs/scrape/${id}/leads`, 'ann')).body.items.map(
        ({ name }: { name: string }) => name,
      );
    return { ...millrace, post, job, ended, names };
  }

  it('does the jobs of Millrace, which stores, deduplicates and serves the leads', { timeout: 120_000 }, async () => {
    const worker = startWorker();
    const { post, ended, names, lines } = await startMillrace();
    const first = await post('bakeries', ['google', 'our-own-list']);
    expect(await ended(first)).toMatchObject({
      status: 'completed',
      total_found: 2,
      total_processed: 2,
      duplicates: 0,
    });
    expect((await names(first)).toSorted()).toEqual(['Bread', 'Bun']);
    expect(worker.printed()).toContain(`received ${first} ann google,our-own-list`);
    const again = await post('bakeries');
    expect(await ended(again)).toMatchObject({ status: 'completed', total_processed: 2, duplicates: 2 });
    const adapted = lines.filter(({ event }) => event === 'scrape_result_adapted').map(({ msg }) => msg);
    expect(adapted).toContainEqual(expect.stringContaining('prefer name instead of company_name'));
    expect(new Set(adapted).size).toBe(adapted.length);
  });

  it('may send results in steps, in parts, or errors', { timeout: 120_000 }, async () => {
    startWorker();
    const { post, ended, names } = await startMillrace();
    const steps = await post('two steps');
    expect(await ended(steps)).toMatchObject({ status: 'completed', total_processed: 3, duplicates: 1, error: null });
    expect((await names(steps)).toSorted()).toEqual(['Bakery', 'Mill']);
    const partly = await ended(await post('partly', ['web', 'google']));
    expect(partly).toMatchObject({ status: 'partial', error: 'web: web: no route', total_found: 1 });
    expect(partly.by_source).toMatchObject([{ status: 'failed' }, { status: 'completed', processed: 1 }]);
    const failed = await ended(await post('fails'));
    expect(failed).toMatchObject({ status: 'failed', error: 'google: the site blocked us' });
  });

  it('may repeat, mistype or misaddress a result', { timeout: 120_000 }, async () => {
    startWorker();
    const { post, ended, letterAbout, letters, lines } = await startMillrace();
    const twice = await post('twice');
    expect(await ended(twice)).toMatchObject({
      status: 'completed',
      total_found: 1,
      total_processed: 1,
      duplicates: 0,
    });
    await eventually(() => expect(received(lines, 'repeated')).toEqual([twice]));
    const broken = await ended(await post('broken'));
    expect(broken).toMatchObject({ status: 'failed', error: expect.stringContaining('leads.0.name: ') });
    expect(await letterAbout('leads.0.name')).toMatchObject({ queue: 'failed_jobs', jobName: 'scrape_results' });
    await ended(await post('stranger'));
    await letterAbout('job_id: there is no job nobody-asked');
    expect(await letters()).toHaveLength(2);
  });

  it('may start late, and may not answer at all', { timeout: 120_000 }, async () => {
    const { post, ended, job } = await startMillrace({ scrapeResultTimeoutMs: 3_000 });
    const silent = await post('silent');
    const late = await post('late');
    expect(await ended(silent)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no result arrived on scrape_results within 3s'),
    });
    await ended(late);
    startWorker();
    await eventually(async () => expect(await job(late)).toMatchObject({ status: 'completed', total_processed: 2 }));
    expect(await job(silent)).toMatchObject({ status: 'failed' });
  });

  it('may declare scrape_jobs in its own way, after Millrace has started', { timeout: 120_000 }, async () => {
    const { post, job, ended } = await startMillrace({ scrapeQueueForm: 'wait' }, emptyUrl);
    const id = await post('bakeries');
    const error = expect.stringContaining('not published to scrape_jobs yet: no queue takes messages to scrape_jobs');
    await eventually(async () => expect(await job(id)).toMatchObject({ status: 'queued', error }));
    startWorker('dlx', emptyUrl);
    expect(await ended(id)).toMatchObject({ status: 'completed', error: null });
  });

  it('works for nothing if the job was cancelled', { timeout: 120_000 }, async () => {
    const { ask, post, job, lines } = await startMillrace();
    const id = await post('bakeries');
    const { waiting } = newSender(url);
    await eventually(async () => expect(await waiting('scrape_jobs')).toBe(1));
    expect(await ask('POST', `/jobs/scrape/${id}/cancel`, 'ann')).toMatchObject({ status: 200 });
    startWorker();
    await eventually(() => expect(received(lines, 'cancelled')).toEqual([id]));
    expect(await job(id)).toMatchObject({ status: 'cancelled', total_found: 0 });
  });
});

const received = (lines: LogLine[], outcome: string) =>
  lines.flatMap((line) => (line.event === 'scrape_result_received' && line.outcome === outcome ? [line.jobId] : []));
