import { getDomain, getHostname } from 'tldts';

const listed = (lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Domains on which companies have pages, but which do not belong to them. */
const DOMAINS = listed([
  'facebook.com fb.com instagram.com linkedin.com xing.com twitter.com x.com threads.net youtube.com tiktok.com',
  'pinterest.com reddit.com quora.com medium.com substack.com tumblr.com vimeo.com github.com gitlab.com t.me',
  'wikipedia.org wikidata.org wikimedia.org fandom.com archive.org google.com goo.gl bing.com openstreetmap.org',
  'foursquare.com yellowpages.com gelbeseiten.de dasoertliche.de 11880.com',
  'herold.at local.ch pagesjaunes.fr paginasamarillas.es paginegialle.it kompass.com wlw.de',
  'crunchbase.com zoominfo.com dnb.com northdata.com northdata.de kununu.com indeed.com stepstone.de',
  'clutch.co g2.com capterra.com producthunt.com opencorporates.com bloomberg.com angel.co wellfound.com',
  'etsy.com booking.com expedia.com airbnb.com opentable.com ubereats.com',
  'wordpress.com business.site negocio.site jimdo.com jimdofree.com jimdosite.com webnode.com webnode.page weebly.com',
  'weeblysite.com squarespace.com strikingly.com site123.me godaddysites.com ueniweb.com wa.me whatsapp.com bit.ly vk.com',
  'lieferando.de linktr.ee eventbrite.com meetup.com scribd.com slideshare.net issuu.com',
]);

/** Subdomains of a company's own domain on which others have pages. */
const HOSTS = listed(['apps.apple.com podcasts.apple.com music.apple.com itunes.apple.com']);

const LABELS = listed(['tripadvisor yelp trustpilot europages glassdoor cylex amazon ebay']);

/** Returns the registrable domain, unless many share it. Blogs on a shared suffix (github.io) have their own. */
export function ownDomain(address: string): string | undefined {
  const domain = getDomain(address, { allowPrivateDomains: true });
  if (!domain || DOMAINS.has(domain) || LABELS.has(domain.split('.')[0] ?? '')) return undefined;
  return HOSTS.has(getHostname(address) ?? '') ? undefined : domain;
}
