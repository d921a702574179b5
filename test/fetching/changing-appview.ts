import { startSite } from '../harness/site.js';
import { postView } from '../platforms/fake-bluesky.js';
import type { ChangingSource } from './changing-source.js';

/** Serves a changing source as the feed of a Bluesky account. Something may change after each page. */
export async function serveAsBluesky(source: ChangingSource, afterPage: () => void): Promise<string> {
  const site = await startSite((request, response) => {
    const cursor = new URL(request.url ?? '/', 'http://site.example').searchParams.get('cursor') ?? undefined;
    const page = source.page(cursor);
    if ('unchanged' in page) throw new Error('a changing source does not say so');
    const feed = page.posts.map(({ externalId, content }) => ({ post: postView(externalId, {}, { text: content }) }));
    afterPage();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ feed, cursor: page.nextCursor }));
  });
  return site.url('/', '127.0.0.1');
}
