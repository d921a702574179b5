import { startSite } from '../harness/site.js';

const MB = 1_000_000;
/** The maximum size that the HTTP client accepts, and a smaller one. */
const SIZES = [0.1, 0.5, 2, 5, 9.9].map((size) => size * MB);

const rss = (inner: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${inner}</channel></rss>`;
const atom = (inner: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>${inner}</feed>`;
const fill = (part: (at: number) => string, bytes: number) => {
  const parts: string[] = [];
  for (let length = 0, at = 0; length < bytes; at++) {
    const next = part(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};
const deep = (open: string, close: string, bytes: number) => {
  const levels = Math.floor(bytes / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
};
const BOMB = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}">${Array.from(
  { length: 20 },
  (_, at) => `<!ENTITY b${at} "${(at ? `&b${at - 1};` : '&a;').repeat(10)}">`,
).join('')}]>`;

/** Feeds that are made to cost as much as possible. Each has the given size. */
const KINDS: Record<string, (bytes: number) => string> = {
  'empty items': (bytes) => rss(fill(() => '<item/>', bytes)),
  'small items': (bytes) => rss(fill((at) => `<item><guid>${at}</guid></item>`, bytes)),
  'items with every field': (bytes) =>
    rss(
      fill(
        (at) =>
          `<item><guid>${at}</guid><title>t</title><link>http://a.example/${at}</link><description>d</description><category>c</category><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>`,
        bytes,
      ),
    ),
  'one item with many categories': (bytes) =>
    rss(`<item><guid>a</guid>${fill((at) => `<category>${at}</category>`, bytes)}</item>`),
  'one item with many enclosures': (bytes) =>
    rss(`<item><guid>a</guid>${fill((at) => `<enclosure url="http://a.example/${at}"/>`, bytes)}</item>`),
  'one item with many media': (bytes) =>
    rss(`<item><guid>a</guid>${fill((at) => `<media:content url="http://a.example/${at}"/>`, bytes)}</item>`),
  'a long title': (bytes) => rss(`<item><guid>a</guid><title>${'t'.repeat(bytes)}</title></item>`),
  'a long description of tags': (bytes) =>
    rss(`<item><guid>a</guid><description><![CDATA[${fill(() => '<b>', bytes)}]]></description></item>`),
  'a description of entities': (bytes) =>
    rss(`<item><guid>a</guid><description>${fill(() => '&amp;', bytes)}</description></item>`),
  'a description of references': (bytes) =>
    rss(`<item><guid>a</guid><description>${fill(() => '&#x1F600;', bytes)}</description></item>`),
  'a long attribute': (bytes) => rss(`<item a="${'x'.repeat(bytes)}"><guid>a</guid></item>`),
  'many attributes': (bytes) => rss(`<item ${fill((at) => `a${at}="" `, bytes)}><guid>a</guid></item>`),
  'many namespaces': (bytes) =>
    `<rss version="2.0" ${fill((at) => `xmlns:n${at}="http://a.example/${at}" `, bytes)}><channel><item><guid>a</guid></item></channel></rss>`,
  'deep elements': (bytes) => rss(`<item><guid>a</guid>${deep('<a>', '</a>', bytes)}</item>`),
  'deep channels': (bytes) => deep('<rss><channel>', '</channel></rss>', bytes),
  'elements that are never closed': (bytes) => rss(fill(() => '<item><guid>', bytes)),
  'an entity bomb': (bytes) =>
    BOMB + rss(`<item><guid>a</guid><title>${fill((at) => `&b${at % 20};`, bytes)}</title></item>`),
  comments: (bytes) => rss(fill(() => '<!---->', bytes)),
  'CDATA sections': (bytes) => rss(`<item><guid>a</guid><title>${fill(() => '<![CDATA[]]>', bytes)}</title></item>`),
  'Atom entries': (bytes) => atom(fill((at) => `<entry><id>${at}</id></entry>`, bytes)),
  'Atom links': (bytes) =>
    atom(`<entry><id>a</id>${fill((at) => `<link href="http://a.example/${at}"/>`, bytes)}</entry>`),
  'Atom XHTML': (bytes) =>
    atom(`<entry><id>a</id><content type="xhtml">${deep('<div>', '</div>', bytes)}</content></entry>`),
  'a JSON feed': (bytes) =>
    `{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[${fill((at) => `{"id":"${at}"},`, bytes)}{"id":"z"}]}`,
};

export const HOSTILE_FEEDS = Object.entries(KINDS).flatMap(([name, make]) =>
  SIZES.map((bytes) => ({ name: `${name}, ${bytes / MB} MB`, make: () => make(bytes) })),
);

/** Serves each feed at its number and creates it on request, in this process, because only the reader is measured. */
export async function startHostileSite(): Promise<string> {
  const site = await startSite((request, response) => {
    const feed = HOSTILE_FEEDS[Number(request.url?.slice(1))];
    response.writeHead(feed ? 200 : 404).end(feed?.make());
  });
  return site.url('/', '127.0.0.1');
}
