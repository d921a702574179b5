import { describe, expect, it } from 'vitest';
import { nameLikeDomain, partsOfTitle } from './company-name.js';

describe('the title of a page', () => {
  it.each([
    ['Acme | Home', ['Acme']],
    ['Home - Acme Bread', ['Acme Bread']],
    ['Startseite – Bäckerei Müller', ['Bäckerei Müller']],
    ['Willkommen bei Bäckerei Müller', ['Bäckerei Müller']],
    ['Fresh bread in Berlin | Acme: Contact us', ['Fresh bread in Berlin', 'Acme']],
    ['Acme » Impressum', ['Acme']],
    ['Coca-Cola', ['Coca-Cola']],
    ['Acme Bread, the oldest bakery of ...', ['Acme Bread, the oldest bakery of']],
    ['Home', []],
    ['', []],
  ])('names of %j: %j', (title, parts) => {
    expect(partsOfTitle(title)).toEqual(parts);
  });
});

describe('the part of a title that the domain bears out', () => {
  it.each([
    [['Fresh bread', 'Acme'], 'acme.com', 'Acme'],
    [['Fresh bread', 'Acme Bread Inc.'], 'acmebread.com', 'Acme Bread Inc.'],
    [['Brot & Mehr', 'Online-Shop'], 'brot-und-mehr.de', 'Brot & Mehr'],
    [['Kuchen', 'Bäckerei Müller GmbH'], 'baeckerei-mueller.de', 'Bäckerei Müller GmbH'],
    [['Kuchen', 'Bäckerei Müller'], 'xn--bckerei-mller-bfb28a.de', 'Bäckerei Müller'],
    [['Café Crème', 'Menu'], 'cafecreme.fr', 'Café Crème'],
    [['Acme', 'Acme Bread'], 'acmebread.com', 'Acme Bread'],
    [['パン屋', 'Tokyo Bread'], 'tokyobread.jp', 'Tokyo Bread'],
    [['We', 'You'], 'acme.com', undefined],
    [[], 'acme.com', undefined],
  ])('of %j at %s is %s', (parts, domain, expected) => {
    expect(nameLikeDomain(parts, domain)).toBe(expected);
  });
});
