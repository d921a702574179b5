import { describe, expect, it } from 'vitest';
import type { FoundLead } from './lead.js';
import { matchesKeywords } from './matches-keywords.js';
import { normaliseLead } from './normalise-lead.js';

function matches(found: Partial<FoundLead>, ...keywords: string[]): boolean {
  const lead = normaliseLead({ name: 'Acme', raw: {}, ...found });
  if (!lead) throw new Error('this is no lead');
  return matchesKeywords(lead, keywords);
}

describe('keywords', () => {
  it('may be none: then every lead will do', () => {
    expect(matches({})).toBe(true);
  });

  it('are looked for in all that a lead tells', () => {
    expect(matches({ name: 'Vegan Burgers' }, 'vegan')).toBe(true);
    expect(matches({ description: 'We cook vegan.' }, 'vegan')).toBe(true);
    expect(matches({ address: 'Vegan Street 1' }, 'vegan')).toBe(true);
    expect(matches({ domain: 'vegan-burgers.example' }, 'vegan')).toBe(true);
    expect(matches({ raw: { tags: [{ diet: 'vegan' }] } }, 'vegan')).toBe(true);
    expect(matches({ raw: { tags: [{ vegan: 'no' }] } }, 'vegan')).toBe(false);
  });

  it('need not all occur', () => {
    expect(matches({ description: 'robots' }, 'drones', 'robots')).toBe(true);
    expect(matches({ description: 'robots' }, 'drones', 'cars')).toBe(false);
  });

  it.each([
    ['Machine Learning for banks', 'machine learning'],
    ['machine-learning', 'Machine  Learning'],
    ['car_repair', 'car repair'],
    ['CAFÉ', 'cafe'],
    ['Cafe', 'café'],
    ['Straße', 'STRASSE'],
    ['Łódź', 'lodz'],
    ['C++ and C#', 'c++'],
    ['C++ and C#', 'C#'],
    ['Müller+Partner', 'partner'],
    ['(Berlin)', 'berlin'],
    ['разработка программ', 'Разработка'],
    ['Ανάπτυξη λογισμικού', 'αναπτυξη'],
    ['शिक्षा केंद्र', 'केंद्र'],
    ['תוכנה בירושלים', 'תוכנה'],
    ['東京のソフトウェア会社です', 'ソフトウェア'],
    ['当社はAI開発を行う', 'AI開発'],
    ['우리는 소프트웨어를 만든다', '소프트웨어'],
    ['ร้านอาหารไทย', 'อาหาร'],
    ['Pizza 🍕 to go', '🍕'],
  ])('%s holds %s', (description, keyword) => {
    expect(matches({ description }, keyword)).toBe(true);
  });

  it.each([
    ['scare', 'car'],
    ['cars', 'car'],
    ['machine for learning', 'machine learning'],
    ['the CIA', 'AI'],
    ['C and D', 'c++'],
    ['разработкам', 'разработка'],
    ['शिक्षा', 'शिक्ष'],
    ['anything', '&'],
    ['anything', ' '],
  ])('%s does not hold %s', (description, keyword) => {
    expect(matches({ description }, keyword)).toBe(false);
  });

  it('are not found across two texts', () => {
    expect(matches({ address: 'Machine', description: 'Learning' }, 'machine learning')).toBe(false);
  });

  it.each([
    'https://www.acme-tools.de/kontakt?x=1',
    'http://acme-tools.de',
    'ACME-Tools.de.',
    'https://user:secret@acme-tools.de/',
  ])('may be an address of the site, such as %s', (keyword) => {
    expect(matches({ url: 'https://acme-tools.de/' }, keyword)).toBe(true);
    expect(matches({ url: 'https://other-tools.de/' }, keyword)).toBe(false);
    expect(matches({}, keyword)).toBe(false);
  });

  it('may be an address in letters of its own language', () => {
    expect(matches({ url: 'https://xn--mller-kva.de/start' }, 'müller.de')).toBe(true);
  });

  it('take what they are literally', () => {
    expect(matches({ description: 'anything' }, '.*', 'any.*', '[a-z]+')).toBe(false);
  });
});
