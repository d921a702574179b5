import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addresses, type Contestant, checkFound, type Feeds, newItems, perSecond } from './contest.js';

/**
 * Runs an unmodified `sfeed_update`: curl, sfeed, sort and uniq for each feed, one file per feed, sixteen feeds at
 * once.
 */
export async function withSfeed<T>(program: string, feeds: Feeds, work: (sfeed: Contestant) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-sfeed-'));
  const settings = join(folder, 'sfeedrc');
  await writeFile(settings, settingsFor(folder, addresses(feeds)));
  let known = 0;
  const round = async () => {
    const startedAt = performance.now();
    await runToEnd(program, settings);
    const rate = perSecond(feeds.count, performance.now() - startedAt);
    const items = await countItems(join(folder, 'feeds'));
    checkFound(items - known, newItems(feeds.count, known === 0), 'sfeed_update');
    known = items;
    return rate;
  };
  try {
    return await work({ round });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function settingsFor(folder: string, urls: string[]): string {
  const lines = urls.map((url, at) => `  feed 'feed ${at}' '${url}'`);
  return [`sfeedpath='${folder}/feeds'`, 'feeds() {', ...lines, '}', ''].join('\n');
}

async function runToEnd(program: string, settings: string): Promise<void> {
  const update = spawn(program, [settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(update, 'exit');
  if (code !== 0) throw new Error(`sfeed_update ended with ${code}`);
}

/** Each line is an item. */
async function countItems(folder: string): Promise<number> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}
