import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runningMillrace } from '../../test/cli/running-millrace.js';
import { FeedSite } from '../../test/harness/feed-site.js';

const WAIT_OPTIONS = { timeout: 15_000, interval: 100 };
const millrace = runningMillrace();
const items = (...names: string[]) => names.map((name) => ({ guid: name, title: name }));

/** A site with these feeds, of one item each. */
async function siteWith(...paths: string[]): Promise<FeedSite> {
  const site = await FeedSite.start();
  for (const path of paths) site.publish(path, ...items(`First of ${path}`));
  return site;
}

async function newFile(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** `millrace … --as <somebody>`, and what it answered as JSON. */
function as(user: string) {
  const run = (args: string[], more?: Parameters<typeof millrace.run>[1]) =>
    millrace.run([...args, '--as', user], more);
  return { run, json: async (...args: string[]) => JSON.parse((await run([...args, '--json'])).out) };
}

describe('sources --all', () => {
  it("lists the sources of all users for an admin, and otherwise the user's own", async () => {
    const site = await siteWith('/all');
    await as('harry').run(['follow', site.url('/all')]);
    const listed = await millrace.run(['sources', '--all', '--search', new URL(site.url('/')).host]);
    expect(listed.out).toMatch(/^ID +STATE +TYPE +HOST +TITLE +FOLLOWERS +FAILURES .*\n +\d+ +\w+ +rss /);
    const { out } = await millrace.run(['sources', '--all', '--type', 'rss', '--search', site.url('/all'), '--json']);
    expect(JSON.parse(out).items).toMatchObject([{ externalId: site.url('/all'), followers: 1 }]);
    expect((await millrace.run(['sources', '--all', '--error', 'nothing like it'])).out).toBe('No sources found.\n');
    expect(await millrace.run(['sources', '--host', 'example.org'])).toMatchObject({ code: 2 });
    expect((await as('ida').json('sources', '--all')).items).toEqual([]);
  });
});

describe('follow, sources, feed and unfollow', () => {
  it('bring posts in from an address, show them, and let them go again', async () => {
    const site = await siteWith('/news');
    const anna = as('anna');
    const followed = await anna.run(['follow', site.url('/news'), '--folder', 'Daily']);
    expect(followed).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Following .*\/news \(rss .* as source \d+\.\n$/),
    });
    await vi.waitFor(async () => expect((await anna.run(['feed'])).out).toContain('First of /news'), WAIT_OPTIONS);

    const listed = await anna.run(['sources', '--state', 'active', '--folder', 'Daily']);
    expect(listed.out).toMatch(/^ID +STATE +TYPE +TITLE +INTERVAL .*\n +\d+ +ok +rss +\/news +\d+ \w+ /);
    const [{ id }] = (await anna.json('sources')).items;
    const why = await anna.run(['sources', '--why', id]);
    expect(why.out).toMatch(/policy +adaptive\n(.*\n)+It posts about once a day\.\n(.*\n)*The next fetch is due at /);

    expect((await anna.run(['unfollow', site.url('/news/')])).out).toBe('No longer following /news.\n');
    expect(await anna.json('sources')).toEqual({ items: [], nextCursor: null });
  });

  it('take addresses from the standard input; one that is wrong does not stop the others', async () => {
    const site = await siteWith('/one', '/two');
    const input = `# mine\n${site.url('/one')}\n\nhttp://10.0.0.1/feed\n${site.url('/two')}\n`;
    const { code, out, err } = await as('bert').run(['follow', '-'], { input });
    expect(code).toBe(4);
    expect(out.match(/^Following/gm)).toHaveLength(2);
    expect(err).toMatch(/^http:\/\/10\.0\.0\.1\/feed: .*\(address_refused\)\n$/);
  });

  it('say when there is more than they show', async () => {
    const site = await siteWith('/a', '/b', '/c');
    const carl = as('carl');
    await carl.run(['follow', ...['/a', '/b', '/c'].map((path) => site.url(path))]);
    const { out, err } = await carl.run(['sources', '--limit', '2']);
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(err).toBe('Only the first 2 are shown. Use --all or a higher --limit to see more.\n');
    expect((await carl.run(['sources', '--all'])).err).toBe('');
    expect(await carl.json('sources', '--limit', '2')).toMatchObject({
      items: [{}, {}],
      nextCursor: expect.any(String),
    });
  });

  it('show new posts as they arrive, until they are interrupted', async () => {
    const site = await siteWith();
    const dora = as('dora');
    const interruption = new AbortController();
    const watching = dora.run(['feed', '--watch'], {
      interruption: interruption.signal,
      onOut: () => interruption.abort(),
    });
    // The stream does not repeat what was stored before it was opened.
    for (let at = 0; !interruption.signal.aborted; at++) {
      site.publish(`/live/${at}`, ...items('News'));
      await dora.run(['follow', site.url(`/live/${at}`)]);
    }
    const { code, out, err } = await watching;
    expect({ code, err: err.trim() }).toEqual({ code: 130, err: '' });
    expect(out).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} {2}\S+ {2}News {2}https:\/\/site\.example/);
  });

  it('pass OPML on, out of one account and into another', async () => {
    const site = await siteWith('/x', '/y');
    await as('emma').run(['follow', site.url('/x'), site.url('/y')]);
    const file = await newFile('feeds.opml', '');
    expect(await as('emma').run(['sources', 'export', file])).toMatchObject({ code: 0, out: '' });
    expect(await readFile(file, 'utf8')).toContain(site.url('/x'));
    const { code, out } = await as('fred').run(['sources', 'import', file]);
    expect({ code, out }).toEqual({ code: 0, out: 'Now following 2 more sources. 0 were already followed.\n' });
  });

  it('say what the API refuses, with its code, and exit with 4', async () => {
    const refused = await as('gina').run(['sources', '--why', 'x']);
    expect(refused).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/^millrace sources: .*validation_failed/),
    });
    const wrongKey = await millrace.run(['sources', '--key', 'wrong']);
    expect(wrongKey).toMatchObject({
      code: 4,
      err: expect.stringContaining('(invalid_key)\nSet another key with --key'),
    });
  });
});

describe('import', () => {
  it('imports a list of feeds, shows the progress, and names the feeds that failed', async () => {
    const site = await siteWith('/jobs', '/more');
    const file = await newFile('feeds.txt', `# jobs\n${site.url('/jobs')}\n${site.url('/none')}\n`);
    const { code, out, err } = await as('hans').run(['import', file, site.url('/more')], { watched: true, width: 100 });
    expect(code).toBe(0);
    expect(out).toMatch(
      /status +completed\nfeeds +2 of 3 done, 1 failed\nitems +2 found: 2 new, 0 updated, 0 unchanged\n/,
    );
    expect(err).toContain('█');
    expect(err.split('\u001b[2K').at(-1)).toMatch(/^http.*\/none: .*404/);
  });

  it('ends with 1 if no feed could be imported, and prints JSON if asked', async () => {
    const site = await siteWith();
    const { code, out } = await as('hans').run(['import', site.url('/none'), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'failed', feeds: { total: 1, done: 0, failed: 1 } });
  });

  it('starts an import without waiting for its end', async () => {
    const site = await siteWith('/later');
    const ida = as('ida');
    const { code, out } = await ida.run(['import', site.url('/later'), '--no-wait']);
    expect(code).toBe(0);
    const [, id = ''] =
      /^Started import (\d+) of 1 feeds\. `millrace import show \d+` shows its progress\.\n$/.exec(out) ?? [];
    expect((await ida.run(['import', 'show', id, '--watch'])).out).toContain('completed');
    expect((await ida.run(['import', 'list'])).out).toContain(`${id}  completed`);
    expect((await ida.run(['import', 'feeds', id])).out).toContain(site.url('/later'));
  });

  it('takes an OPML file by itself', async () => {
    const site = await siteWith('/o');
    const opml = `<opml version="2.0"><body><outline type="rss" xmlUrl="${site.url('/o')}"/></body></opml>`;
    const file = await newFile('feeds.opml', opml);
    expect((await as('jens').run(['import', file])).out).toContain('1 of 1 done');
    const both = await as('jens').run(['import', file, site.url('/o')]);
    expect(both).toMatchObject({
      code: 2,
      err: 'millrace import: An OPML file cannot be combined with other files or addresses.\n',
    });
    expect(await as('jens').run(['import', '/no/such/file'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^millrace import: Could not read \/no\/such\/file: ENOENT/),
    });
  });
});
