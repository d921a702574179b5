import { describe, expect, it } from 'vitest';
import { ownDomain } from './shared-platforms.js';

describe('the domain of a web address', () => {
  it.each([
    ['https://www.acme.co.uk/about?x=1', 'acme.co.uk'],
    ['shop.acme.com', 'acme.com'],
    ['https://acme.github.io/site', 'acme.github.io'],
    ['https://www.apple.com/', 'apple.com'],
  ])('%s is %s', (address, domain) => {
    expect(ownDomain(address)).toBe(domain);
  });

  it.each([
    'https://de-de.facebook.com/acme',
    'https://en.wikipedia.org/wiki/Acme',
    'https://www.linkedin.com/company/acme',
    'https://www.yelp.co.uk/biz/acme',
    'https://apps.apple.com/app/acme',
    'https://acme.wordpress.com/',
    'https://acme.business.site/',
    'http://192.0.2.1/',
    'localhost',
    'no address',
    '',
  ])('is nobody’s own for %j', (address) => {
    expect(ownDomain(address)).toBeUndefined();
  });
});
