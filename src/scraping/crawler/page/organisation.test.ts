import { describe, expect, it } from 'vitest';
import { toOrganisation } from './organisation.js';

const PAGE = 'https://www.acme.de/kontakt';
const read = (thing: Record<string, unknown>) => toOrganisation({ name: 'Acme', ...thing }, PAGE);

describe('an organisation', () => {
  it('has what schema.org can say about it', () => {
    const thing = {
      '@type': 'LocalBusiness',
      name: 'Acme &amp; Söhne <b>GmbH</b>',
      url: 'https://shop.acme.de/start',
      email: 'mailto:info@acme.de',
      telephone: ['+49 30 1', 'tel:+49302'],
      faxNumber: '+49 30 9',
      contactPoint: [
        { telephone: '+49 30 3', email: 'sales@acme.de', contactType: 'sales' },
        { telephone: '+49 30 8', contactType: 'Fax' },
      ],
      address: {
        streetAddress: 'Weg 1',
        postalCode: 10115,
        addressLocality: 'Berlin',
        addressRegion: 'Berlin',
        addressCountry: { '@type': 'Country', name: 'DE' },
      },
      description: ' Makes\n things ',
    };
    expect(toOrganisation(thing, PAGE)).toEqual({
      name: 'Acme & Söhne GmbH',
      domain: 'acme.de',
      emails: ['info@acme.de', 'sales@acme.de'],
      phones: ['+49 30 1', '+49302', '+49 30 3'],
      address: 'Weg 1, 10115 Berlin',
      country: 'DE',
      description: 'Makes things',
      url: PAGE,
      raw: thing,
    });
  });

  it.each([
    ['a line', 'Weg 1, Berlin', 'Weg 1, Berlin'],
    ['the first of several', [{ streetAddress: 'A' }, { streetAddress: 'B' }], 'A'],
    ['parts with a region', { addressLocality: 'Austin', addressRegion: 'TX' }, 'Austin, TX'],
    ['nothing', { '@type': 'PostalAddress' }, undefined],
  ])('has an address that is %s', (_, address, expected) => {
    expect(read({ address })?.address).toBe(expected);
  });

  it.each([
    [{ url: '/' }, 'acme.de'],
    [{ url: ['https://other.com'] }, 'other.com'],
    [{ url: { '@id': 'https://other.com/' } }, 'other.com'],
    [{ '@id': 'https://other.com/#org' }, 'other.com'],
    [{ '@id': '_:b0' }, undefined],
    [{ url: 'javascript:alert(1)' }, undefined],
    [{ url: 7 }, 'acme.de'],
    [{}, undefined],
  ])('with %j is at %j', (thing, domain) => {
    expect(read(thing)?.domain).toBe(domain);
  });

  it('without a name is none, whatever stands in its place', () => {
    for (const name of [undefined, '', '  ', null, [], {}, true, { '@value': null }]) {
      expect(toOrganisation({ '@type': 'Organization', name }, PAGE)).toBeUndefined();
    }
  });

  it('keeps its source in bounds', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 50; level++) deep = { deep };
    const { raw } = read({ deep, description: 'x'.repeat(100_000), list: Array(1_000).fill('y') }) ?? {};
    expect(JSON.stringify(raw).length).toBeLessThan(3_000);
  });
});
