import { escaped } from '../feeds/render-feed.js';
import type { Site } from '../local-sites.js';
import { plainPage } from '../plain-page.js';
import { type Company, TOWN } from './companies.js';

const PACE_MS = 350;

/** A company's own web site, which says who it is in JSON-LD and on a contact page. */
export function companySite(company: Company): Site {
  const { name, slug, phone, street, postcode, description } = company;
  // Millrace ignores mail addresses below unknown top-level domains unless they are at the host of the site.
  const email = `hello@${slug}.localhost`;
  const links = '<p><a href="/">Home</a> <a href="/contact">Contact</a> <a href="/staff/rota">Rota</a></p>';
  const about = {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name,
    description,
    email,
    telephone: phone,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      postalCode: postcode,
      addressLocality: TOWN,
      addressCountry: 'GB',
    },
  };
  const data = `<script type="application/ld+json">${JSON.stringify(about)}</script>`;
  return ({ url: { pathname } }) => {
    if (pathname === '/robots.txt') return { type: 'text/plain', body: 'User-agent: *\nDisallow: /staff/\n' };
    if (pathname === '/')
      return { ...plainPage(name, `<p>${escaped(description)}.</p>${links}`, data), afterMs: PACE_MS };
    if (pathname !== '/contact') return { status: 404, body: 'There is no such page.' };
    const inner = `<p>${escaped(street)}, ${postcode} ${TOWN}<br>${phone}<br><a href="mailto:${email}">${email}</a></p>${links}`;
    return { ...plainPage(`Contact ${name}`, inner), afterMs: PACE_MS };
  };
}
