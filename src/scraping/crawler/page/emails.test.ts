import { describe, expect, it } from 'vitest';
import { emailsIn, emailsOfLink } from './emails.js';

const found = (text: string) => emailsIn(text, 'acme.example');

describe('an e-mail address', () => {
  it.each([
    ['Write to info@acme.de.', 'info@acme.de'],
    ['E-Mail:Info@Acme.DE', 'info@acme.de'],
    ['(first.last+x@mail.acme.co.uk)', 'first.last+x@mail.acme.co.uk'],
    ['info@müller.de', 'info@müller.de'],
    ['info [at] acme [dot] de', 'info@acme.de'],
    ['info(at)acme.de', 'info@acme.de'],
    ['info {at} shop (punkt) acme (punkt) de', 'info@shop.acme.de'],
    ['info[@]acme.com', 'info@acme.com'],
    ['office@acme.example', 'office@acme.example'],
  ])('is found in %j', (text, email) => {
    expect(found(text)).toEqual([email]);
  });

  it.each([
    'logo@2x.png',
    'look at acme.de',
    'meet us (at) noon',
    'you@example.com',
    'name@yourdomain.com',
    'x@localhost',
    'server@machine.local',
    'a@b@c',
    '@acme.de',
    'stranger@other.example',
  ])('is not %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('comes once, however often and however it is written', () => {
    expect(found('a@acme.de A@acme.de\na (at) acme.de b@acme.de')).toEqual(['a@acme.de', 'b@acme.de']);
  });
});

it.each([
  ['mailto:info@acme.de', ['info@acme.de']],
  [' MAILTO:info%40acme.de?subject=Hello%20you@other.de', ['info@acme.de']],
  ['mailto:a@acme.de,%20b@acme.de', ['a@acme.de', 'b@acme.de']],
  ['mailto:?subject=x@acme.de', []],
  ['mailto:%E0%A4%A', []],
  ['https://acme.de/mailto:a@acme.de', []],
])('the link %j writes to %j', (href, emails) => {
  expect(emailsOfLink(href, 'acme.de')).toEqual(emails);
});
