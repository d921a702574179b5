import { describe, expect, it } from 'vitest';
import { closeSections } from './close-sections.js';
import { dropDoctype } from './drop-doctype.js';
import { countItems, markItems } from './mark-items.js';
import { decodeBase64Texts, firstItems, pushDownBases, renameElements } from './prepare-xml.js';
import { repairFields } from './repair-fields.js';
import { usualShape } from './usual-shape.js';

describe('repaired fields', () => {
  it.each([
    ['what is not closed is closed around', '<a><b><c>x</b></a>', '<a><b><c>x</c></b></a>'],
    ['what is cut off is closed at its end', '<a><b>x', '<a><b>x</b></a>'],
    ['a tag cut in the middle is dropped', '<a><b>x</b><c d="', '<a><b>x</b></a>'],
    ['a CDATA section is closed', '<a><![CDATA[x <b>', '<a><![CDATA[x <b>]]></a>'],
    ['end tags in another case are taken', '<Item><Title>x</title></ITEM>', '<Item><Title>x</Title></Item>'],
    ['an end tag with one wrong character is taken', '<title>x</tetle><b>y</b>', '<title>x</title><b>y</b>'],
    ['end tags of nothing are dropped', '<a></b>x</a></c>', '<a>x</a>'],
    ['a field ends where the next begins', '<title>x<link>y</link>', '<title>x</title><link>y</link>'],
    [
      'a field does not end where HTML begins that has its name',
      '<description><p><title>x</title></p></description>',
      '<description><p><title>x</title></p></description>',
    ],
    [
      'an author has parts',
      '<author><name>x</name><email>y</email><id>z</id>',
      '<author><name>x</name><email>y</email></author><id>z</id>',
    ],
    ['a < that begins nothing is text', '<a>1 < 2</a>', '<a>1 &lt; 2</a>'],
    ['a > in a quoted value ends no tag', '<a b="x>y">z</a>', '<a b="x>y">z</a>'],
    ['a quote that is never closed ends with its tag', '<a b="x>z</a>', '<a b="x">z</a>'],
    ['a quote that is missing before the next attribute is put there', '<a b="x c="y">z</a>', '<a b="x" c="y">z</a>'],
    ['a quote that never began is put there', '<a b=x" c="y"/>', '<a b="x" c="y"/>'],
    ['a tag that does not end ends where the next begins', '<a><b <c>x</c></a>', '<a><b><c>x</c></b></a>'],
  ])('%s', (_, broken, repaired) => expect(repairFields(broken)).toBe(repaired));

  it('have a bounded depth', () => {
    const repaired = repairFields(`${'<a>'.repeat(50_000)}x`);
    expect(repaired).toBe(`${'<a>'.repeat(90)}x${'</a>'.repeat(90)}`);
  });
});

describe('sections', () => {
  it.each([
    ['end with their element where their end is damaged', '<a><![CDATA[x]></a><b/>', '<a><![CDATA[x]>]]></a><b/>'],
    [
      'do not reach into another item',
      '<item><a><![CDATA[x</item><item><a><![CDATA[y]]></a></item>',
      '<item><a><![CDATA[x]]></item><item><a><![CDATA[y]]></a></item>',
    ],
    ['that are sound keep what they quote', '<a><![CDATA[<item>x</item>]]></a>', '<a><![CDATA[<item>x</item>]]></a>'],
    ['of comments and instructions are dropped', '<?xml version="1.0"?><a>x<!-- </a> -->y</a>', '<a>xy</a>'],
    ['of comments that never end lose their beginning alone', '<a>x<!-- y</a>', '<a>x y</a>'],
    ['of instructions that never end do, too', '<?xml version="1.0"<a>x</a>', 'xml version="1.0"<a>x</a>'],
    ['of a declaration without its second mark still end', '<?xml version="1.0"><a>x</a>', '<a>x</a>'],
  ])('%s', (_, broken, closed) => expect(closeSections(broken)).toBe(closed));
});

describe('a document type', () => {
  it('is taken away', () => {
    expect(dropDoctype('<?xml version="1.0"?><!DOCTYPE rss SYSTEM "x.dtd"><rss/>')).toBe('<?xml version="1.0"?><rss/>');
    expect(dropDoctype('<!DOCTYPE a [<!-- ]> --><!ENTITY b "]>">]><a/>')).toBe('<a/>');
  });

  it('leaves the characters that it declares', () => {
    expect(dropDoctype('<!DOCTYPE a [<!ENTITY eu "&#8364;"><!ENTITY co \'Co.\'>]><a>&eu; &co;</a>')).toBe(
      '<a>&#8364; Co.</a>',
    );
  });

  it('expands nothing that refers to something else, is long, or lies outside', () => {
    const text = '<a>&b; &c; &d;</a>';
    const doctype = `<!DOCTYPE a [<!ENTITY x "x"><!ENTITY b "&x;&x;"><!ENTITY c "${'c'.repeat(300)}"><!ENTITY d SYSTEM "file:///etc/passwd">]>`;
    expect(dropDoctype(doctype + text)).toBe(text);
  });

  it('lets a document grow by a bounded amount', () => {
    const text = dropDoctype(`<!DOCTYPE a [<!ENTITY b "${'b'.repeat(200)}">]><a>${'&b;'.repeat(100_000)}</a>`);
    expect(text.length).toBeLessThan(1_500_000);
  });

  it('in a text is not one', () => {
    const text = '<a><![CDATA[<!DOCTYPE html>]]></a>';
    expect(dropDoctype(text)).toBe(text);
  });
});

describe('odd shapes', () => {
  it.each([
    [
      'a lone entry',
      '<entry xmlns="u" a="b"><id>1</id></entry>',
      '<feed xmlns="u"><entry xmlns="u" a="b"><id>1</id></entry></feed>',
    ],
    ['a lone channel', '<!-- c --><channel><item/></channel>', '<rss version="2.0"><channel><item/></channel></rss>'],
    [
      'RSS without a channel',
      '<rss version="2.0"><item/></rss>',
      '<rss version="2.0"><channel><item/></channel></rss>',
    ],
    [
      'RDF with its items in the channel',
      '<r:RDF><channel><title/><item>1</item></channel></r:RDF>',
      '<r:RDF><channel><title/></channel><item>1</item></r:RDF>',
    ],
    [
      'RDF with a table of contents',
      '<RDF><channel><items><Seq/></items></channel><item/></RDF>',
      '<RDF><channel></channel><item/></RDF>',
    ],
  ])('%s', (_, odd, usual) => expect(usualShape(odd)).toBe(usual));

  it('are not seen where there are none', () => {
    const usual = '<?xml version="1.0"?><rss version="2.0"><channel><item/></channel></rss>';
    expect(usualShape(usual)).toBe(usual);
  });
});

it('base64 of Atom 0.3 is decoded', () => {
  const encoded = Buffer.from('<b>Hi</b> & é').toString('base64');
  const open = '<content type="text/html" mode="base64">';
  expect(decodeBase64Texts(`${open}\n${encoded}\n</content>`)).toBe(`${open}&lt;b>Hi&lt;/b> &amp; é</content>`);
  expect(decodeBase64Texts(`${open}<![CDATA[${encoded}]]></content>`)).toContain('&lt;b>Hi');
  expect(decodeBase64Texts(`<content>${encoded} base64</content>`)).toContain(encoded);
});

it('the body of an item becomes its content, no other body does', () => {
  expect(renameElements('<item><xhtml:body a="b"><p>x</p></xhtml:body></item>')).toBe(
    '<item><content:encoded><p>x</p></content:encoded></item>',
  );
  const other = '<item><description><![CDATA[<body>x</body>]]></description><d><body>y</body></d></item>';
  expect(renameElements(other)).toBe(other);
});

it('only the first items of a document are kept, and its end', () => {
  const text = `<rss><channel>${'<item>x</item>'.repeat(5)}</channel></rss>`;
  expect(firstItems(text, 2)).toBe(`<rss><channel>${'<item>x</item>'.repeat(2)}</channel></rss>`);
  expect(firstItems(text, 6)).toBe(text);
});

describe('marks on items', () => {
  it('number them, whatever they are called, and tell what is in them', () => {
    expect(markItems('<c><item a="b">1</item><x:entry/><Item>2</Item></c>', 10)).toEqual({
      text: '<c><item a="b" xml:id="0">1</item><x:entry xml:id="1"/><Item xml:id="2">2</Item></c>',
      rawItems: ['1', '', '2'],
      isBalanced: true,
    });
  });

  it('are for the outermost only, and for none in texts', () => {
    const text = '<item><l><item>1</item><item/></l>2</item><![CDATA[<item/>]]><!-- <item> -->';
    expect(markItems(text, 10).rawItems).toEqual(['<l><item>1</item><item/></l>2']);
  });

  it('take the place of ids', () => {
    expect(markItems('<item xml:id=\'7\' b="c"/>', 10).text).toBe('<item b="c" xml:id="0"/>');
  });

  it('end with the document, and at a number', () => {
    expect(markItems('<item>1<b>2', 10)).toMatchObject({ rawItems: ['1<b>2'], isBalanced: false });
    expect(markItems('<item>1</item><item>2</item>', 1)).toEqual({
      text: '<item xml:id="0">1</item><item>2</item>',
      rawItems: ['1'],
      isBalanced: true,
    });
  });
});

it('items are counted by their beginnings', () => {
  expect(countItems('<items><item/><a:Item b="c">x</a:Item><entry\n></entry></items><itemize>')).toBe(3);
  expect(countItems('<a/>')).toBe(0);
});

describe('xml:base', () => {
  const base = 'https://a.example/x/feed';

  it('reaches links, attributes and items', () => {
    const text =
      '<rss><channel xml:base="/b/"><link>c?d=1&amp;e</link><item><enclosure url="f.mp3"/></item></channel></rss>';
    expect(pushDownBases(text, base)).toBe(
      '<rss><channel xml:base="/b/"><link>https://a.example/b/c?d=1&amp;e</link>' +
        '<item xml:base="https://a.example/b/"><enclosure url="https://a.example/b/f.mp3"/></item></channel></rss>',
    );
  });

  it('of a text becomes its item’s', () => {
    const text = '<item><description xml:base="https://b.example/">x</description></item>';
    expect(pushDownBases(text, base)).toContain('<item xml:base="https://b.example/">');
  });

  it('changes nothing where there is none', () => {
    expect(pushDownBases('<item><link>x</link></item>', base)).toBe('<item><link>x</link></item>');
  });
});
