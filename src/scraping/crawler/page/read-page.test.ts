import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.js';

const URL_OF_PAGE = 'https://www.acme.de/de/start.html';
const read = (html: string) => readPage({ html, url: URL_OF_PAGE });
const EMPTY = { organisations: [], emails: [], phones: [], links: [], noFollow: false, noIndex: false };

it('tells what a page says', () => {
  const html = `<!doctype html><html><head><title> Acme
      GmbH </title><meta name="Description" content="We make &amp; sell"><meta property="og:site_name" content="Acme">
      <script type="application/ld+json">{"@type":"Organization","name":"Acme GmbH"}</script></head>
    <body itemscope itemtype="http://schema.org/Store"><b itemprop="name">Acme Store</b>
      <a href="kontakt" rel="Nofollow me">Kon<b>takt</b></a> <a href="mailto:info@acme.de">x</a>
      <a href="tel:+4930123456">+49 30 123456</a> <a href="tel:+4930123457">Fax 030 123457</a> <p>sales@acme.de</p></body>`;
  expect(read(html)).toMatchObject({
    title: 'Acme GmbH',
    siteName: 'Acme',
    description: 'We make & sell',
    organisations: [{ name: 'Acme GmbH' }, { name: 'Acme Store' }],
    emails: ['info@acme.de', 'sales@acme.de'],
    phones: ['+4930123456'],
    links: [{ url: 'https://www.acme.de/de/kontakt', text: 'Kontakt', rel: 'nofollow me' }],
    noFollow: false,
    noIndex: false,
  });
});

describe('links', () => {
  const urls = (html: string) => read(html).links.map(({ url }) => url);

  it('are whole, of the web, without fragments, each once', () => {
    const html = `<a href="/a#x">1</a><a href="/a#y">2</a><a href="//b.de">3</a><a href="javascript:x()">4</a>
      <a href="https://user:pass@c.de/">5</a><a>6</a><a href="http://[">7</a><map><area href="d" title="D"></map>`;
    expect(urls(html)).toEqual(['https://www.acme.de/a', 'https://b.de/', 'https://c.de/', 'https://www.acme.de/de/d']);
  });

  it('start from the base that the page names', () => {
    expect(urls('<base href="https://acme.de/en/"><a href="x">x</a>')).toEqual(['https://acme.de/en/x']);
    expect(urls('<base href="data:,x"><a href="x">x</a>')).toEqual(['https://www.acme.de/de/x']);
  });

  it('are labelled for those who cannot see them, too', () => {
    const html = '<a href="/a" aria-label="Contact"><svg><title>icon</title></svg></a>';
    expect(read(html).links[0]?.text).toBe('Contact');
  });
});

describe('text', () => {
  it.each([
    ['a script', '<script>var x = "a@acme.de"</script>'],
    ['a comment', '<!-- a@acme.de -->'],
    ['a template', '<template>a@acme.de</template>'],
    ['a hidden element', '<p hidden>a@acme.de</p><p style="color: red; display : none">b@acme.de</p>'],
    ['a drawing', '<svg><text>a@acme.de</text></svg>'],
  ])('that nobody sees in %s is not read', (_, html) => {
    expect(read(html).emails).toEqual([]);
  });

  it('runs on through markup in a line and ends with its block', () => {
    expect(read('<p>in<b>fo</b>@ac&shy;me.de</p>').emails).toEqual(['info@acme.de']);
    expect(read('<td>info@acme.de</td><div>info@acme.de</div>Tel').emails).toEqual(['info@acme.de']);
    expect(read('<table><tr><td>Tel.</td><td>030 123456</td></tr></table>').phones).toEqual(['030 123456']);
  });
});

describe('robots metas', () => {
  it.each([
    ['<meta name="robots" content="noindex, nofollow">', { noIndex: true, noFollow: true }],
    ['<META NAME="ROBOTS" CONTENT="NONE">', { noIndex: true, noFollow: true }],
    ['<meta name="robots" content="index"><meta name="millrace" content="nofollow">', { noFollow: true }],
    ['<meta name="googlebot" content="noindex">', { noIndex: false, noFollow: false }],
  ])('are read from %j', (html, instructions) => {
    expect(read(html)).toMatchObject(instructions);
  });
});

describe('what is no page', () => {
  it.each([
    ['nothing', ''],
    ['text', 'just words'],
    ['JSON', '{"a": [1, 2]}'],
    ['bytes', Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256)).toString('latin1')],
    ['NUL characters', '\u0000'.repeat(1_000)],
    ['half a tag', '<a href="'],
    ['half a script', '<script type="application/ld+json">{"@type":"Organ'],
  ])('gives nothing (%s)', (_, html) => {
    expect(read(html)).toEqual(EMPTY);
  });

  it('gives only what can be stored', () => {
    const html = `<title>A\u0000B\ud800</title><script type="application/ld+json">
      {"@type":"Store","name":"A\\u0000B\\ud800","x\\u0000":1}</script>`;
    const content = JSON.stringify(read(html));
    expect(content).not.toMatch(/\\u0000|\\ud800/);
    expect(read(html).organisations).toMatchObject([{ name: 'AB\ufffd' }]);
  });

  it('may have data nested as deep as it likes', () => {
    const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
    const fields = ['name', 'url', 'email', 'address', 'contactPoint', 'location'].map((name) => `"${name}":${deep}`);
    const block = `{"@type":"Store","legalName":"Acme",${fields.join(',')}}`;
    expect(read(`<script type="application/ld+json">${block}</script>`).organisations).toMatchObject([
      { name: 'Acme' },
    ]);
  });

  it('is read up to its body where it is nested too deep', () => {
    const html = `<head><title>Deep</title></head><body>${'<div>'.repeat(100_000)}a@acme.de`;
    expect(read(html)).toEqual({ ...EMPTY, title: 'Deep' });
    expect(read('<div>'.repeat(100_000))).toEqual(EMPTY);
  });
});
