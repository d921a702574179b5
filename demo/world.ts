import type { Publication } from './feeds/publication.js';
import type { FakeInstagram } from './instagram/start-fake-instagram.js';
import type { DemoPlatforms } from './platforms/demo-platforms.js';
import type { Trade } from './search/companies.js';

export interface WorldFeed {
  publication: Publication;
  /** The address of the site, with a trailing slash. */
  home: string;
  url: string;
}

export interface World {
  seed: number;
  /** A page with links to everything else. */
  url: string;
  feeds: WorldFeed[];
  /** Feeds with archives, for an import. */
  villages: WorldFeed[];
  platforms: DemoPlatforms;
  search: SearchSites;
  instagram: FakeInstagram;
  pictureFor(post: { offsetMs: number }): string;
  stop(): Promise<void>;
}

export interface SearchSites {
  town: string;
  overpassUrl: string;
  searchUrl: string;
  crunchbaseUrl: string;
  /** Addresses of the companies' web sites. */
  sites: Record<Trade, string[]>;
}
