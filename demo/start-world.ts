import { unreliableAtFirst } from './archives/unreliable-at-first.js';
import { villagesOf } from './archives/villages.js';
import type { Publication } from './feeds/publication.js';
import { feedPath, publicationSite } from './feeds/publication-site.js';
import { PUBLICATIONS } from './feeds/publications.js';
import { frontDoor } from './front-door.js';
import { startFakeInstagram } from './instagram/start-fake-instagram.js';
import { LocalSites, type Site } from './local-sites.js';
import { startDemoPlatforms } from './platforms/demo-platforms.js';
import { companiesOf, TOWN, type Trade } from './search/companies.js';
import { companySearch } from './search/company-search.js';
import { companySite } from './search/company-site.js';
import { mapSearch } from './search/map-search.js';
import { webSearch } from './search/web-search.js';
import { SeededRandom } from './seeded-random.js';
import type { SearchSites, World, WorldFeed } from './world.js';

/** How many companies of each trade have a web site. */
const WEB_SITES = { bakery: 7, bookshop: 3 };

/** The index of the village whose archive fails at first. */
const UNRELIABLE = 4;

/** Starts everything outside of Millrace, on loopback. */
export async function startWorld({ seed }: { seed: number }): Promise<World> {
  const sites = await new LocalSites().start();
  const platforms = await startDemoPlatforms(seed);
  const instagram = await startFakeInstagram({ seed, now: () => new Date() });
  const age = { seed, startedAt: new Date() };
  const open = (publication: Publication, paceMs: number, change = (site: Site) => site): WorldFeed => {
    const base = sites.addressOf(publication.slug);
    const site = publicationSite(publication, { age, base, now: () => new Date(), paceMs });
    sites.add(publication.slug, change(site));
    return { publication, home: base, url: base + feedPath(publication) };
  };
  const feeds = PUBLICATIONS.map((publication) => open(publication, 0));
  const villages = villagesOf(seed).map((publication, at) => {
    const paceMs = new SeededRandom(seed, publication.slug, 'pace').between(150, 900);
    return open(publication, paceMs, at === UNRELIABLE ? unreliableAtFirst : undefined);
  });
  const search = openSearchSites(sites, seed);
  const world = { seed, feeds, villages, platforms, search, instagram };
  const url = sites.add('world', frontDoor(world));
  const pictureFor = ({ offsetMs }: { offsetMs: number }) => `${feeds[0]?.home}pictures/p${offsetMs}.png`;
  const stop = async () => {
    await Promise.all([sites, platforms, instagram].map((server) => server.stop()));
  };
  return { ...world, url, pictureFor, stop };
}

function openSearchSites(sites: LocalSites, seed: number): SearchSites {
  const companies = companiesOf(seed);
  const sitesOf = (trade: Trade) =>
    companies
      .filter((company) => company.trade === trade)
      .slice(0, WEB_SITES[trade])
      .map((company) => sites.add(company.slug, companySite(company)));
  return {
    town: TOWN,
    overpassUrl: sites.add('map-search', mapSearch(companies)),
    searchUrl: sites.add('web-search', webSearch(companies)),
    crunchbaseUrl: sites.add('company-search', companySearch(companies)),
    sites: { bakery: sitesOf('bakery'), bookshop: sitesOf('bookshop') },
  };
}
