import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The number of different documents that show new items. */
const TEXTS = 20;

/** Runs work with the address of feeds that another process serves. None of them was fetched before. */
export async function withServedFeeds<T>(patterns: number, work: (site: string) => Promise<T>): Promise<T> {
  const server = fork(fileURLToPath(new URL('./feed-server.program.js', import.meta.url)), [String(patterns)]);
  try {
    const [site] = await once(server, 'message');
    return await work(String(site));
  } finally {
    server.disconnect();
  }
}

/** The server renders the documents of the next round before anything is measured. */
export async function renderNextRound(site: string): Promise<void> {
  for (let text = 0; text < TEXTS; text++) {
    await fetch(`${site}/${text * 10}`).then((answer) => answer.text());
    await fetch(`${site}/${text * 10 + 9}`).then((answer) => answer.text());
  }
}
