import { expect, it } from 'vitest';
import { nameInTitle } from './site-name.js';

it.each([
  ['Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Home | Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Startseite - Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Fine tools – made in Berlin – Acme', 'acme.de', 'Acme'],
  ['Welcome to Acme', 'x.de', 'Acme'],
  ['Herzlich willkommen bei der Acme GmbH', 'x.de', 'Acme GmbH'],
  ['Zahnarzt Berlin: Dr. Müller', 'dr-mueller.de', 'Dr. Müller'],
  ['Best-of-breed tools', 'x.de', 'Best-of-breed tools'],
  ['Home', 'x.de', undefined],
  ['', 'x.de', undefined],
  [' | - ', 'x.de', undefined],
])('the title %j at %s names %j', (title, domain, name) => {
  expect(nameInTitle(title, domain)).toBe(name);
});
