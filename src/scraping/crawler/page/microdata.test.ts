import { expect, it } from 'vitest';
import { parseHtml } from './html-tree.js';
import { organisationsInMicrodata } from './microdata.js';

const found = (html: string) => organisationsInMicrodata(parseHtml(html));

it('reads an organisation with the things in it', () => {
  const html = `<div itemscope itemtype="https://schema.org/Restaurant">
    <h1><a itemprop="name" href="/">Acme</a></h1> <a itemprop="url" href="https://acme.de">x</a>
    <p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
      <span itemprop="streetAddress">Weg 1</span> <meta itemprop="addressCountry" content="DE"></p>
    <a itemprop="email" href="mailto:a@acme.de">write</a> <span itemprop="telephone">1</span> <b itemprop="telephone">2</b>
  </div> <p itemprop="name">somebody else</p>`;
  expect(found(html)).toEqual([
    {
      '@type': ['https://schema.org/Restaurant'],
      name: ['Acme'],
      url: ['https://acme.de'],
      address: [{ '@type': ['https://schema.org/PostalAddress'], streetAddress: ['Weg 1'], addressCountry: ['DE'] }],
      email: ['mailto:a@acme.de'],
      telephone: ['1', '2'],
    },
  ]);
});

it('finds one that is a property of something else', () => {
  const html = `<article itemscope itemtype="http://schema.org/Article"><b itemprop="name">News</b>
    <i itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><b itemprop="name">Acme</b></i></article>`;
  expect(found(html)).toMatchObject([{ name: ['Acme'] }]);
});

it('is not misled by names that objects have anyway', () => {
  const html = `<p itemscope itemtype="http://schema.org/Store"><i itemprop="constructor __proto__ name toString">x</i></p>`;
  expect(found(html)).toEqual([
    { '@type': ['http://schema.org/Store'], constructor: ['x'], name: ['x'], toString: ['x'] },
  ]);
});

it('finds none where nothing is marked', () => {
  expect(
    found('<p itemscope>x</p><p itemprop="name">y</p><p itemscope itemtype="http://schema.org/Person">z</p>'),
  ).toEqual([]);
});
