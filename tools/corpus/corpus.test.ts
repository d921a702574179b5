import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { item, rssOf } from '../../test/fetching/made-feeds.js';
import { corpusCommand } from './corpus-command.js';
import { corpusDocuments } from './corpus-documents.js';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-corpus-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

async function run(...args: string[]) {
  const said = { out: '', err: '' };
  const code = await corpusCommand(args, { out: (text) => (said.out += text), err: (text) => (said.err += text) });
  return { code, ...said };
}

async function resultsOf(files: Record<string, string>) {
  const folder = await folderOf(files);
  const results = join(folder, 'made/results.jsonl');
  const ran = await run('--in', folder, '--out', results);
  const lines = (await readFile(results, 'utf8')).trim().split('\n');
  const byFile = new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.file, line]));
  return { ...ran, byFile };
}

describe('a corpus', () => {
  it('is every file of a folder, each as it is written, with its content made safe', async () => {
    const { code, out, byFile } = await resultsOf({
      'a/rss.xml': rssOf(
        '<title>News</title>',
        item('<guid>1</guid><link>one/1</link><description>&lt;b onclick="x"&gt;hi&lt;/b&gt;</description>'),
        item('<guid>1</guid><link>/two</link><author>ann@site.example (Ann)</author>'),
      ),
      'page.html': '<html><body>No feed</body></html>',
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^1 files were read, 1 refused .* 0 crashed\.\n/);
    expect(byFile.get('a/rss.xml')).toEqual({
      file: 'a/rss.xml',
      ok: true,
      error: null,
      result: {
        feedTitle: 'News',
        items: [
          { id: '1', url: 'one/1', content: '<b>hi</b>' },
          { id: '1', url: '/two', author: 'Ann', content: '' },
        ],
      },
    });
    expect(byFile.get('page.html')).toEqual({
      file: 'page.html',
      ok: false,
      error: 'this is an HTML page, not a feed',
      result: null,
    });
  });

  it('may lack a file that its manifest lists: the file is reported, and the others are read', async () => {
    const manifest = JSON.stringify([{ file: 'gone.xml' }, { file: 'a.xml' }]);
    const { code, out, byFile } = await resultsOf({ 'manifest.json': manifest, 'a.xml': rssOf() });
    expect(code).toBe(1);
    expect(out).toMatch(/^1 files were read, .* 0 crashed\.\n/);
    expect(out).toContain('Missing: gone.xml: could not read the file (ENOENT)\n');
    expect(byFile.get('gone.xml')).toMatchObject({ ok: false, result: null });
    expect(byFile.get('a.xml')).toMatchObject({ ok: true });
  });

  it('tells links without an address as relative ones, and takes them out of content', async () => {
    const links = ['one', './two', '/three', '../four', '?five'];
    const items = links.map((link) =>
      item(`<link>${link}</link><description>&lt;a href="${link}"&gt;x&lt;/a&gt;</description>`),
    );
    const { byFile } = await resultsOf({ 'a.xml': rssOf('', ...items) });
    const told = byFile.get('a.xml').result.items;
    expect(told.map(({ url }: { url: string }) => url)).toEqual(['one', 'two', '/three', '/four', '?five']);
    expect(told.map(({ content }: { content: string }) => content)).toEqual(links.map(() => '<a>x</a>'));
  });

  it('with a manifest is what that lists, with what the server said', async () => {
    const http = {
      url: 'https://site.example/feed',
      headers: { 'Content-Location': '/blog/', 'content-type': 'text/xml' },
    };
    const manifest = JSON.stringify([
      { file: 'a.xml', http, tier: 'core' },
      { file: 'b.xml', http: null },
    ]);
    expect(await corpusDocuments(await folderOf({ 'manifest.json': manifest, 'other.xml': '' }))).toEqual([
      { file: 'a.xml', url: 'https://site.example/feed', contentType: 'text/xml', contentLocation: '/blog/' },
      { file: 'b.xml' },
    ]);
  });
});

describe('a corpus that is damaged', () => {
  const feeds = Object.fromEntries(
    ['a', 'b'].map((name) => {
      const items = Array.from({ length: 5 }, (_, at) => item(`<guid>${name}${at}</guid><title>${name} ${at}</title>`));
      return [`${name}.xml`, rssOf('<title>t</title>', ...items)];
    }),
  );

  it('tells how much is still read for each kind of damage, the same for the same seed', async () => {
    const folder = await folderOf({ ...feeds, 'empty.xml': rssOf('<title>t</title>') });
    const first = await run('--mutate', '--in', folder, '--seed', '7');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^2 feeds were damaged in 20 ways/);
    expect(first.out).toMatch(/^missing item end tag +100.0 % kept, 0 refused, 0 empty, 0 slow$/m);
    const shares = (out: string) =>
      out
        .split('\n')
        .filter((line) => line.includes('% kept'))
        .toSorted();
    expect(shares(first.out)).toHaveLength(20);
    expect(shares((await run('--mutate', '--in', folder, '--seed', '7')).out)).toEqual(shares(first.out));
  });

  it('is called with numbers', async () => {
    for (const args of [
      ['--mutate', '--seed', 'x'],
      ['--mutate', '--feeds', '0'],
      ['--mutate', '--out', 'x'],
    ]) {
      expect(await run(...args)).toMatchObject({ code: 2 });
    }
  });
});

describe('the command says what to do', () => {
  it('where it is called wrongly', async () => {
    for (const args of [[], ['--in', 'x'], ['--into', 'x']]) {
      expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining('Usage: npm run corpus') });
    }
  });

  it('where there is no such folder, nothing in it, or a manifest that cannot be read', async () => {
    const nowhere = await run('--in', '/nowhere/at/all', '--out', 'x');
    expect(nowhere).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Could not read the folder .* \(ENOENT\)\. Give another one/),
    });
    const empty = await run('--in', await folderOf({}), '--out', 'x');
    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining('Give a folder with feeds') });
    for (const manifest of ['{', '[{}]']) {
      const broken = await run('--in', await folderOf({ 'manifest.json': manifest }), '--out', 'x');
      expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('Correct it, or remove it') });
    }
  });

  it('where the results cannot be written', async () => {
    const folder = await folderOf({ 'a.xml': rssOf() });
    const { code, err } = await run('--in', folder, '--out', join(folder, 'a.xml/results'));
    expect(code).toBe(1);
    expect(err).toContain('Give another file with --out');
  });
});
