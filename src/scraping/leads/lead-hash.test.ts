import { describe, expect, it } from 'vitest';
import type { FoundLead } from './lead.js';
import { leadHash } from './lead-hash.js';
import { normaliseLead } from './normalise-lead.js';

type Found = Partial<FoundLead>;

function hashOf(found: Found): string {
  const lead = normaliseLead({ name: 'Acme', raw: Math.random(), ...found });
  if (!lead) throw new Error('this is no lead');
  return leadHash(lead);
}

const DE = { country: 'DE' };
const PHONE = { phones: ['+49 30 901820'] };

describe('two finds are one company', () => {
  it.each<[string, Found, Found]>([
    ['with one domain', { name: 'Acme', domain: 'acme.de' }, { name: 'ACME Berlin', domain: 'https://www.acme.de/x' }],
    ['with one domain in two scripts', { domain: 'bücher.example' }, { domain: 'XN--BCHER-KVA.example' }],
    ['with one domain in two countries', { domain: 'acme.com', country: 'US' }, { domain: 'acme.com', country: 'DE' }],
    ['with any further data', { ...DE }, { ...DE, description: 'Tools', url: 'https://a.example/' }],
    ['in other letters', { name: 'CAFÉ  Müller', ...DE }, { name: 'Cafe Muller', country: 'Germany' }],
    ['in full-width letters', { name: 'ＡＣＭＥ', ...DE }, { name: 'acme', ...DE }],
    ['with other punctuation', { name: 'Smith, Jones & Co.' }, { name: 'Smith Jones and Co' }],
    ['with and without GmbH', { name: 'Acme GmbH', ...DE }, { name: 'Acme', ...DE }],
    ['as GmbH & Co. KG', { name: 'Acme GmbH & Co. KG', ...DE }, { name: 'ACME', ...DE }],
    ['as G.m.b.H.', { name: 'Acme G. m. b. H.', ...DE }, { name: 'Acme GmbH', ...DE }],
    ['as UG (haftungsbeschränkt)', { name: 'Acme UG (haftungsbeschränkt)' }, { name: 'Acme' }],
    ['as e. V.', { name: 'Acme e. V.' }, { name: 'Acme e.V.' }],
    ['as Inc.', { name: 'Acme, Inc.' }, { name: 'Acme Incorporated' }],
    ['as Pty Ltd', { name: 'Acme Pty. Ltd.' }, { name: 'Acme' }],
    ['as S.A.', { name: 'Acme S.A.' }, { name: 'Acme SA' }],
    ['as S.A. de C.V.', { name: 'Acme, S.A. de C.V.' }, { name: 'Acme' }],
    ['as S.p.A.', { name: 'Acme S.p.A.' }, { name: 'Acme' }],
    ['as Sp. z o.o.', { name: 'Acme Sp. z o.o.' }, { name: 'Acme' }],
    ['as A/S', { name: 'Acme A/S' }, { name: 'Acme' }],
    ['as ООО', { name: 'ООО «Ромашка»' }, { name: 'Ромашка' }],
    ['as 株式会社', { name: '株式会社アクメ' }, { name: 'アクメ' }],
    ['with one phone, in two spellings', { ...PHONE, ...DE }, { phones: ['030 901820'], domain: '', ...DE }],
    ['with one phone, one without a country', { ...PHONE, ...DE }, { ...PHONE }],
    ['with one phone, and an address', PHONE, { ...PHONE, address: 'Torstr. 1' }],
    [
      'with phones in another order',
      { phones: ['+4930901820', '+498923300'] },
      { phones: ['+498923300', '+4930901820'] },
    ],
    ['with one e-mail', { emails: ['Info@mail.example'] }, { emails: ['info@mail.example'], address: 'Torstr. 1' }],
    ['at one address', { address: 'Torstraße 1, 10119 Berlin' }, { address: 'Torstr. 1\n10119 BERLIN' }],
    ['on a platform that many share', { domain: 'facebook.com/acme', ...PHONE }, { ...PHONE }],
  ])('%s', (_, one, other) => {
    expect(hashOf(one)).toBe(hashOf(other));
  });
});

describe('two finds are two companies', () => {
  it.each<[string, Found, Found]>([
    ['with two domains', { domain: 'acme.de' }, { domain: 'acme.com' }],
    ['with two blogs at one host', { domain: 'acme.github.io' }, { domain: 'other.github.io' }],
    ['on a platform that many share', { name: 'A', domain: 'facebook.com' }, { name: 'B', domain: 'facebook.com' }],
    ['of other names', { name: 'Acme' }, { name: 'Acne' }],
    ['of names in a script with marks', { name: 'がく' }, { name: 'かく' }],
    ['of names that are legal forms', { name: 'SAS' }, { name: 'AG' }],
    ['of names that begin like one', { name: 'SE Tools' }, { name: 'Tools' }],
    ['of names that end almost like one', { name: 'Berlin Zoo' }, { name: 'Berlin' }],
    ['in two countries', { country: 'DE' }, { country: 'AT' }],
    ['with two phones', PHONE, { phones: ['+49 30 901821'] }],
    ['with two e-mails', { emails: ['a@mail.example'] }, { emails: ['b@mail.example'] }],
    ['at two addresses', { address: 'Torstraße 1, Berlin' }, { address: 'Torstraße 2, Berlin' }],
    ['whose parts run into each other', { name: 'Acme a', address: 'b' }, { name: 'Acme', address: 'a b' }],
    ['one with a domain named as the other', { name: 'acme.de' }, { domain: 'acme.de' }],
  ])('%s', (_, one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
  });
});
