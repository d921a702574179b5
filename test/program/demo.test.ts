import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityProblems, browser, signIn } from '../browser/visitor.js';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { describeWithPython, pythonProgram } from '../workers/python.js';
import { startWorkerProgram } from '../workers/worker-program.js';
import { ask } from './api-client.js';
import { entranceOf, startDemo } from './demo-process.js';
import { postgresOn } from './embedded-server.js';
import type { MillraceProcess } from './millrace-process.js';

const WAIT_OPTIONS = { timeout: 90_000, interval: 250 };
/** Screenshots of every view are written to this folder, if it is set. */
const SCREENSHOTS = process.env.TEST_SCREENSHOTS;
const VIEWS = ['feed', 'sources', 'imports', 'leads', 'dead-letters', 'health', 'publish', 'apps'];
const SMALL_VIEWS = ['publish/new', 'publish/calendar', 'publish/accounts'];
/** Colours are the same at every size, so one scheme is enough for each. */
const SIZES = {
  desk: { viewport: { width: 1280, height: 800 }, schemes: ['light'], views: [...VIEWS, ...SMALL_VIEWS] },
  phone: { viewport: { width: 390, height: 844 }, schemes: ['dark'], views: VIEWS },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
type Json = any;

async function callerOf(demo: MillraceProcess) {
  const { address, key } = await entranceOf(demo);
  const call = async (path: string, body?: object): Promise<Json> =>
    (await ask(`${address}/api/v1/${path}`, { key, ...(body && { body }) })).json();
  const items = async (path: string): Promise<Json[]> => (await call(path)).items ?? [];
  return { call, items };
}

/** The tests share one demo, because its parts need a minute to show, and run in order. */
describe('a running demo', () => {
  const chrome = browser();
  const ends: (() => Promise<void>)[] = [];
  let startedAt: string;
  let started: ReturnType<typeof startDemo>;
  beforeAll(() => {
    startedAt = new Date().toISOString();
    started = startDemo((end) => ends.push(end));
  });
  // The program must end before its folder is removed.
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  it('shows every part at work within a minute or so', { timeout: 240_000 }, async () => {
    const { demo } = started;
    const { call, items } = await callerOf(demo);
    await demo.printed(/Ctrl\+C stops everything/);

    await expect.poll(async () => (await items('feed?limit=100')).length, WAIT_OPTIONS).toBe(100);
    const arrivedLive = async () => (await items('feed')).filter(({ publishedAt }) => publishedAt > startedAt).length;
    await expect.poll(arrivedLive, WAIT_OPTIONS).toBeGreaterThan(5);
    const instagram = async () => (await items('feed?folder=Instagram')).length;
    await expect.poll(instagram, WAIT_OPTIONS).toBeGreaterThan(0);

    const icons = async () => (await items('sources?limit=100')).filter(({ iconUrl }) => iconUrl).length;
    await expect.poll(icons, WAIT_OPTIONS).toBeGreaterThan(10);

    const searched = async () => (await items('jobs/scrape?status=completed')).length;
    await expect.poll(searched, WAIT_OPTIONS).toBeGreaterThan(0);
    expect((await items('leads?limit=100')).length).toBeGreaterThan(20);

    const published = async () =>
      new Set((await items('publications?status=published')).map(({ platform }) => platform));
    await expect.poll(published, WAIT_OPTIONS).toEqual(new Set(['facebook', 'linkedin', 'mastodon', 'webhook']));

    await expect.poll(async () => (await items('imports'))[0]?.status, WAIT_OPTIONS).toBe('completed');
    expect((await items('imports'))[0]).toMatchObject({ feeds: { total: 40, done: 39, failed: 1 } });

    const letters = await items('dead-letters?state=open');
    const dead = (queue: string) => letters.find((letter) => letter.queue === queue);
    const queues = letters.map(({ queue }) => queue);
    expect(queues).toEqual(expect.arrayContaining(['import-feed', 'publish-mastodon', 'publish-webhook']));
    await call(`dead-letters/${dead('import-feed').id}/replay`, {});
    await call(`dead-letters/${dead('publish-webhook').id}/replay`, {});
    await expect
      .poll(async () => (await items('imports'))[0].feeds, WAIT_OPTIONS)
      .toEqual({ total: 40, done: 40, failed: 0 });
    const proof = async () =>
      (await items('publications?limit=100')).find(({ content }) => /^Proof/.test(content.text));
    await expect.poll(async () => (await proof())?.status, WAIT_OPTIONS).toBe('published');
  });

  it.each(Object.entries(SIZES))(
    'shows every view accessibly on a %s, in light or dark, without scrolling sideways',
    { timeout: 180_000 },
    async (size, { viewport, schemes, views }) => {
      const { address, key } = await entranceOf(started.demo);
      const page = await chrome.visit(address, { viewport });
      await signIn(page, key);
      for (const view of views) {
        await page.goto(`/${view}`);
        await isFilled(page, view);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), view).toBe(false);
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          expect(await accessibilityProblems(page), `${view}, ${colorScheme}`).toEqual([]);
          await keepScreenshot(page, `${view.replace('/', '-')}-${size}-${colorScheme}`);
        }
      }
    },
  );

  it('stops without a trace', { timeout: 60_000 }, async () => {
    const { demo, home, dataDir } = started;
    expect(await demo.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(demo.stderr).toBe('');
    expect(demo.groupIsRunning()).toBe(false);
    expect(await postgresOn(dataDir)).toBeUndefined();
    expect(readdirSync(home)).toEqual(['data-demo']);
  });
});

it('leaves no database running when it is killed', { timeout: 60_000 }, async () => {
  const { demo, dataDir } = startDemo(onTestFinished);
  await demo.printed(/Ctrl\+C stops everything/);
  expect(await postgresOn(dataDir)).toBeDefined();
  await demo.end('SIGKILL');
  await expect.poll(() => postgresOn(dataDir), WAIT_OPTIONS).toBeUndefined();
});

describeWithPython('with RABBITMQ_URL', () => {
  const url = rabbitmqUrl();

  it('leaves Instagram to the worker that its guide says how to start', { timeout: 180_000 }, async () => {
    const { demo } = startDemo(onTestFinished, { RABBITMQ_URL: url });
    const { items } = await callerOf(demo);
    const [variables = '', args = ''] = (await demo.printed(/(DEMO_INSTAGRAM_URL=.*)\n/)).split(' python3 ');
    const errors = async () => (await items('sources?limit=100')).map(({ lastError }) => lastError);
    await expect.poll(errors, WAIT_OPTIONS).toContain('no worker answers for instagram');

    const environment = Object.fromEntries(variables.split(' ').map((variable) => variable.split('=')));
    const worker = startWorkerProgram(pythonProgram(), args.split(' '), { RABBITMQ_URL: url, ...environment });
    onTestFinished(async () => {
      await worker.end('SIGKILL');
    });
    await expect.poll(async () => (await items('feed?folder=Instagram')).length, WAIT_OPTIONS).toBeGreaterThan(0);
  });
});

/** Opens a post, an import, a search or a dead letter in views that list them. */
async function isFilled(page: Page, view: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await isLoaded(page);
  if (!['feed', 'imports', 'leads', 'dead-letters'].includes(view)) return;
  await page.locator(`main a[href^="/${view}/"]`).first().click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await isLoaded(page);
}

/** Texts such as "Loading …" fade in, and have too little contrast meanwhile. */
async function isLoaded(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page
          .getByRole('status')
          .filter({ hasText: /^Loading / })
          .count(),
      WAIT_OPTIONS,
    )
    .toBe(0);
}

async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
