import { describe, expect, it } from 'vitest';
import { organisationsInJsonLd } from './json-ld.js';

const found = (...blocks: unknown[]) =>
  organisationsInJsonLd(blocks.map((block) => (typeof block === 'string' ? block : JSON.stringify(block)))).map(
    ({ name }) => name,
  );
const acme = { '@type': 'Organization', name: 'Acme' };

describe('organisations in JSON-LD', () => {
  it.each([
    ['a thing', acme],
    ['a list', [{ '@type': 'WebSite', name: 'Site' }, acme]],
    ['a graph', { '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage' }, acme] }],
    ['a publisher', { '@type': 'Article', publisher: acme }],
    ['an author of a list', { '@type': 'Article', author: [{ '@type': 'Person', name: 'P' }, acme] }],
    ['a business of some kind', { '@type': 'Dentist', name: 'Acme' }],
    ['several types', { '@type': ['Thing', 'AutoRepair'], name: 'Acme' }],
    ['a type as an address', { '@type': 'http://schema.org/LocalBusiness', name: 'Acme' }],
    ['a type with a prefix', { '@type': 'schema:Corporation', name: 'Acme' }],
  ])('are found in %s', (_, block) => {
    expect(found(block)).toEqual(['Acme']);
  });

  it('come from the outside in, over all blocks', () => {
    const article = { '@type': 'Article', publisher: { ...acme, name: 'Publisher' } };
    expect(found(article, acme)).toEqual(['Acme', 'Publisher']);
  });

  it.each([
    ['a trailing comma', '{"@type": "Store", "name": "Acme",}'],
    ['a line break in a text', '{"@type": "Store", "name": "Acme", "description": "one\ntwo"}'],
    ['a comment around it', '<!-- {"@type": "Store", "name": "Acme"} -->'],
    ['a CDATA section', '//<![CDATA[\n{"@type": "Store", "name": "Acme"}\n//]]>'],
    ['a semicolon', '{"@type": "Store", "name": "Acme"};'],
  ])('are read in spite of %s', (_, block) => {
    expect(found(block)).toEqual(['Acme']);
  });

  it('of one block are found although others are broken', () => {
    expect(found('{"@type": "Store", "name": ', 'null', '', 'not JSON', '[[[[', acme)).toEqual(['Acme']);
  });

  it('are not people, products or things without a type', () => {
    expect(found({ '@type': 'Person', name: 'P' }, { '@type': 'Product', name: 'X' }, { name: 'Y' })).toEqual([]);
  });

  it('have what is described elsewhere on the page', () => {
    const [organisation] = organisationsInJsonLd([
      JSON.stringify({
        '@graph': [
          { ...acme, address: { '@id': '#a' }, contactPoint: [{ '@id': '#c' }, { '@id': '#missing' }] },
          { '@id': '#a', streetAddress: 'Street 1' },
          { '@id': '#c', telephone: '1' },
        ],
      }),
    ]);
    expect(organisation).toMatchObject({
      address: [{ streetAddress: 'Street 1' }],
      contactPoint: [{ telephone: '1' }, { '@id': '#missing' }],
    });
  });
});
