import { escaped } from './feeds/render-feed.js';
import type { Site } from './local-sites.js';
import { plainPage } from './plain-page.js';
import type { World } from './world.js';

/** A page with links to all sites and platforms of the demo. */
export function frontDoor({
  feeds,
  villages,
  platforms,
  search,
  instagram,
}: Omit<World, 'url' | 'pictureFor' | 'stop'>): Site {
  const { facebook, linkedin, mastodon, webhook } = platforms;
  const walls = { Facebook: facebook.url, LinkedIn: linkedin.url, Mastodon: mastodon.url, Newsletter: webhook.url };
  const list = (title: string, entries: [string, string][]) =>
    `<h2>${title}</h2><ul>${entries.map(([name, url]) => `<li><a href="${url}">${escaped(name)}</a></li>`).join('')}</ul>`;
  const inner = [
    '<p>Everything here is made up and runs on this machine only. Paste any of these addresses into Millrace to follow it.</p>',
    list('Platforms, with what was published there', Object.entries(walls)),
    list('Instagram', [[instagram.profiles.map(({ username }) => username).join(', '), instagram.url]]),
    list(
      'Publications',
      feeds.map(({ publication, home }) => [publication.title, home]),
    ),
    list(
      'Village archives',
      villages.map(({ publication, home }) => [publication.title, home]),
    ),
    list(
      'Companies',
      Object.values(search.sites)
        .flat()
        .map((url) => [new URL(url).hostname, url]),
    ),
  ];
  return ({ url }) =>
    url.pathname === '/' ? plainPage('Sites and platforms of the demo', inner.join('')) : { status: 404 };
}
