import { describe, expect, it } from 'vitest';
import type { FoundLead } from './lead.js';
import { normaliseLead } from './normalise-lead.js';

const normalised = (found: Partial<FoundLead>) => normaliseLead({ name: 'Acme', raw: {}, ...found });

describe('a lead', () => {
  it('comes out tidy, with what can be read in one form', () => {
    expect(
      normaliseLead({
        name: '  Müller \n & Söhne\tGmbH ',
        domain: 'https://www.Müller-Söhne.de/impressum',
        emails: ['Info@Mueller.DE', 'info@mueller.de', 'mailto:shop@mueller.de?subject=Hi', 'no address'],
        phones: ['030 / 901820', '+49 (0)30 901820', 'Tel.: 0049 89 233-00'],
        address: 'Torstraße 1,\r\n10119  Berlin',
        country: 'Deutschland',
        description: ' Schrauben.\n\nSeit 1890. ',
        url: 'https://user:secret@example.org/müller?a=1',
        raw: { id: 7 },
      }),
    ).toEqual({
      name: 'Müller & Söhne GmbH',
      domain: 'xn--mller-shne-kcb9d.de',
      emails: ['info@mueller.de', 'shop@mueller.de'],
      phones: ['+4930901820', '+498923300'],
      address: 'Torstraße 1, 10119 Berlin',
      country: 'DE',
      description: 'Schrauben. Seit 1890.',
      url: 'https://example.org/m%C3%BCller?a=1',
      rawPayload: { id: 7 },
    });
  });

  it('has empty fields where nothing is known', () => {
    expect(normaliseLead({ name: 'Acme', raw: undefined })).toEqual({
      name: 'Acme',
      domain: null,
      emails: [],
      phones: [],
      address: null,
      country: null,
      description: null,
      url: null,
      rawPayload: null,
    });
  });

  it.each(['', '   ', '\u0000', '–', '\ud800', '...'])('is none without a name: %j', (name) => {
    expect(normalised({ name })).toBeUndefined();
  });

  it('never holds what the database refuses', () => {
    const bad = 'a\u0000b\ud800c';
    const lead = normalised({ name: bad, address: bad, description: bad, url: `https://a.example/${bad}`, raw: bad });
    expect(JSON.stringify(lead)).not.toMatch(/\\u0000|\\ud800/i);
    expect(lead).toMatchObject({ name: 'ab\ufffdc', rawPayload: 'ab\ufffdc' });
  });

  it('is cut to what fits, never through a character', () => {
    const long = '😀'.repeat(100_000);
    const lead = normalised({ name: `Acme${long}`, description: `a${long}`, address: long });
    expect(lead?.name).toHaveLength(500);
    expect(lead?.description).toHaveLength(4_999);
    expect(lead?.description?.isWellFormed()).toBe(true);
    expect(lead?.address).toHaveLength(1_000);
  });

  it('has at most 20 addresses and numbers', () => {
    const emails = Array.from({ length: 500 }, (_, at) => `p${at}@acme.example`);
    const phones = Array.from({ length: 500 }, (_, at) => `+49 30 ${901_000 + at}`);
    const lead = normalised({ emails, phones });
    expect(lead?.emails).toEqual(emails.slice(0, 20));
    expect(lead?.phones).toHaveLength(20);
  });
});

describe('the domain', () => {
  it.each([
    ['acme.de', 'acme.de'],
    ['ACME.de.', 'acme.de'],
    ['shop.acme.co.uk', 'acme.co.uk'],
    ['http://www.acme.de:8080/a b', 'acme.de'],
    ['acme.de/kontakt', 'acme.de'],
    ['acme.github.io', 'acme.github.io'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('of %s is %s', (domain, expected) => {
    expect(normalised({ domain })?.domain).toBe(expected);
  });

  it.each([
    '',
    'acme',
    'localhost',
    '127.0.0.1',
    'http://[::1]/',
    'github.io',
    'info@acme.de',
    'mailto:info@acme.de',
    'ftp://acme.de/',
    'no domain',
    'https://www.facebook.com/acme',
    'linkedin.com/company/acme',
  ])('is not taken from %j', (domain) => {
    expect(normalised({ domain })?.domain).toBeNull();
  });

  it('is not taken from where the lead was found', () => {
    expect(normalised({ url: 'https://directory.example/acme' })?.domain).toBeNull();
  });
});

describe('an e-mail address', () => {
  it.each([
    ['Ann Smith <Ann.Smith@Acme.Example>', 'ann.smith@acme.example'],
    ['info@bücher.example', 'info@xn--bcher-kva.example'],
    ['mailto:info@acme.example.', 'info@acme.example'],
    ["o'neil+sales@mail.acme.example", "o'neil+sales@mail.acme.example"],
  ])('is read from %s', (text, expected) => {
    expect(normalised({ emails: [text] })?.emails).toEqual([expected]);
  });

  it.each([
    'logo@2x.png',
    'a@b',
    '@acme.example',
    'a..b@acme.example',
    '.a@acme.example',
    'a b@acme.example',
    'a@acme.example>',
    'a@127.0.0.1',
    `${'a'.repeat(65)}@acme.example`,
    `a@${'b.'.repeat(150)}example`,
    `${'<'.repeat(100_000)}`,
  ])('is not read from %.60s', (text) => {
    expect(normalised({ emails: [text] })?.emails).toEqual([]);
  });
});

it('reads several e-mail addresses in one text', () => {
  const emails = ['info@acme.example, Ann <ann@acme.example>;x'];
  expect(normalised({ emails })?.emails).toEqual(['info@acme.example', 'ann@acme.example']);
});

describe('a phone number', () => {
  it.each([
    [{ country: 'US', phones: ['(212) 736-5000 ext. 12'] }, '+12127365000'],
    [{ country: 'GB', phones: ['020 7946 0958'] }, '+442079460958'],
    [{ domain: 'acme.co.uk', phones: ['020 7946 0958'] }, '+442079460958'],
    [{ domain: 'acme.de', country: 'FR', phones: ['01 44 55 66 77'] }, '+33144556677'],
    [{ country: 'US', phones: ['0049 30 901820'] }, '+4930901820'],
    [{ phones: ['00 49 30 901820'] }, '+4930901820'],
    [{ phones: ['tel:+44-20-7946-0958'] }, '+442079460958'],
    [{ country: 'IT', phones: ['06 6982'] }, '+39066982'],
    [{ country: 'JP', phones: ['電話：０３－１２３４－５６７８'] }, '+81312345678'],
    [{ country: 'EG', phones: ['٠٢ ٢٧٣٥ ٦٠٠٠'] }, '+20227356000'],
  ])('of %j is %s', (found, expected) => {
    expect(normalised(found)?.phones).toEqual([expected]);
  });

  it('stays as it was, tidied, where its country is not known', () => {
    expect(normalised({ phones: ['  030  / 90 18 20 '], domain: 'acme.io' })?.phones).toEqual(['030 / 90 18 20']);
  });

  it('is one of several in one text', () => {
    const phones = ['+49 30 901820 / +49 89 23300, 030 / 901821; 089-23301'];
    const numbers = ['+4930901820', '+498923300', '+4930901821', '+498923301'];
    expect(normalised({ phones, country: 'DE' })?.phones).toEqual(numbers);
  });

  it.each([
    '',
    'call us',
    '12',
    'Fax: +49 30 901821',
    'Telefax 030 901821',
    `${'1'.repeat(5_000)}`,
    'ask for 12345 units of it',
  ])('is not read from %.40j', (text) => {
    expect(normalised({ phones: [text], country: 'DE' })?.phones).toEqual([]);
  });
});

describe('where it was found', () => {
  it.each(['javascript:alert(1)', 'ftp://a.example/', 'a.example', `https://a.example/${'a'.repeat(3_000)}`])(
    'is left out if it is no address to follow: %.40s',
    (url) => {
      expect(normalised({ url })?.url).toBeNull();
    },
  );
});

describe('what the source gave', () => {
  it('is kept as JSON', () => {
    const raw = { at: new Date(0), gone: undefined, not: Number.NaN, list: [undefined, () => 1, 1n], deep: { a: 1 } };
    const kept = { at: '1970-01-01T00:00:00.000Z', not: null, list: [null, null, null], deep: { a: 1 } };
    expect(normalised({ raw })?.rawPayload).toEqual(kept);
  });

  it('is a note where it is too large', () => {
    const raw = { text: 'ä'.repeat(60_000) };
    expect(normalised({ raw })?.rawPayload).toEqual({ note: 'left out: 120011 bytes, at most 100000 are kept' });
  });

  it('ends where it is nested too deeply', () => {
    const raw = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    expect(JSON.stringify(normalised({ raw })?.rawPayload)).toBe(
      `${'['.repeat(50)}"left out: nested too deeply"${']'.repeat(50)}`,
    );
  });
});
