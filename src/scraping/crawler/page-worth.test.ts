import { expect, it } from 'vitest';
import { pageWorth, WORTH } from './page-worth.js';

const kindOf = (path: string, text?: string) => {
  const worth = pageWorth(new URL(path, 'https://acme.de'), text);
  return Object.entries(WORTH).find(([, value]) => value === worth)?.[0];
};

it.each([
  ['/', 'home'],
  ['/index.html', 'home'],
  ['/de/', 'home'],
  ['/en-us', 'home'],
  ['/impressum', 'imprint'],
  ['/de/Impressum.html', 'imprint'],
  ['/service/impressum-und-datenschutz/', 'imprint'],
  ['/mentions-l%C3%A9gales', 'imprint'],
  ['/aviso_legal.php', 'imprint'],
  ['/legal', 'imprint'],
  ['/kontakt', 'contact'],
  ['/contact-us', 'contact'],
  ['/es/contacto', 'contact'],
  ['/kontakt-anfahrt.html', 'contact'],
  ['/index.php?page=kontakt', 'contact'],
  ['/about', 'about'],
  ['/über-uns/', 'about'],
  ['/ueber-uns/team', 'about'],
  ['/qui-sommes-nous', 'about'],
  ['/datenschutz', 'privacy'],
  ['/products', 'other'],
  ['/blog/all-about-cats', 'other'],
  ['/legal-tech-trends', 'other'],
  ['/blog/how-our-new-contact-form-was-made-in-three-days', 'other'],
])('the address %s is a page of the kind %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

it.each([
  ['Impressum', 'imprint'],
  ['Kontakt & Anfahrt', 'contact'],
  ['  ÜBER UNS ', 'about'],
  ['Contactez-nous', 'contact'],
  ['お問い合わせ', 'contact'],
  ['About cats', 'other'],
  ['We made a new contact form, and here is what we have learned', 'other'],
  ['', 'other'],
])('a link %j leads to a page of the kind %s', (text, kind) => {
  expect(kindOf('/p/17', text)).toBe(kind);
});
