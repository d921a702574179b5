import type { RequestListener } from 'node:http';
import { startSite } from '../harness/site.js';

export const CHANNEL = 'UCmEN5ZnsHUXIxgpLitRTmWw';

interface Video {
  id: string;
  title?: string;
  description?: string;
  likes?: number;
}

interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

let sites = 0;

/** YouTube's channel pages and its feeds, which are always sent as a whole and without validators. */
export class FakeYoutube {
  /** All requests in order. */
  readonly paths: string[] = [];
  readonly cookies: (string | undefined)[] = [];
  /** Its videos, newest first. */
  videos: Video[] = [];
  /** Pages by path. */
  readonly pages = new Map<string, string>();
  /** Answers every request like this instead. */
  refuses: Answer | undefined;
  /** Its address after the start. */
  url = '';

  async start(): Promise<this> {
    sites += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `youtube-${sites}.example`);
    return this;
  }

  readonly listener: RequestListener = (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', this.url);
    this.paths.push(pathname + search);
    this.cookies.push(request.headers.cookie);
    const known = [CHANNEL, 'PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf'];
    const isFeed = [...searchParams.values()].some((id) => known.includes(id));
    const page = isFeed ? channelFeed(this.videos) : this.pages.get(pathname);
    const type = isFeed ? 'text/xml; charset=UTF-8' : 'text/html; charset=utf-8';
    const { status, body, headers } = this.refuses ?? { status: page === undefined ? 404 : 200, body: page };
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'private, max-age=900', ...headers });
    response.end(body);
  };
}

function channelFeed(videos: Video[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}"/>
 <id>yt:channel:${CHANNEL}</id>
 <yt:channelId>${CHANNEL}</yt:channelId>
 <title>Mills &amp; Races</title>
 <link rel="alternate" href="https://www.youtube.com/channel/${CHANNEL}"/>
 <author><name>Mills &amp; Races</name><uri>https://www.youtube.com/channel/${CHANNEL}</uri></author>
 <published>2014-09-26T16:37:18+00:00</published>
${videos.map(entry).join('\n')}
</feed>`;
}

function entry({ id, title = `Video ${id}`, description = '', likes = 0 }: Video): string {
  return ` <entry>
  <id>yt:video:${id}</id>
  <yt:videoId>${id}</yt:videoId>
  <yt:channelId>${CHANNEL}</yt:channelId>
  <title>${title}</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <author><name>Mills &amp; Races</name><uri>https://www.youtube.com/channel/${CHANNEL}</uri></author>
  <published>2024-05-06T07:08:09+00:00</published>
  <updated>2024-05-07T00:00:00+00:00</updated>
  <media:group>
   <media:title>${title}</media:title>
   <media:content url="https://www.youtube.com/v/${id}?version=3" type="application/x-shockwave-flash" width="640" height="390"/>
   <media:thumbnail url="https://i2.ytimg.com/vi/${id}/hqdefault.jpg" width="480" height="360"/>
   <media:description>${description}</media:description>
   <media:community>
    <media:starRating count="${likes}" average="5.00" min="1" max="5"/>
    <media:statistics views="5013"/>
   </media:community>
  </media:group>
 </entry>`;
}
