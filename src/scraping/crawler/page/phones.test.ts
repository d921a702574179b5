import { describe, expect, it } from 'vitest';
import { labelledNumbers, phoneOfLink, phonesOf } from './phones.js';

describe('a number', () => {
  it.each([
    ['Tel.: +49 (0)30 123456-0', '+49 (0)30 123456-0'],
    ['Telefon 030/123 456', '030/123 456'],
    ['Phone: (030) 123 456', '(030) 123 456'],
    ['Tél. : 01 23 45 67 89', '01 23 45 67 89'],
    ['Teléfono\n+34 912 345 678', '+34 912 345 678'],
    ['T: not this\nMobile — 0171.1234567', '0171.1234567'],
    ['Tel./Fax: 030 123456', '030 123456'],
    ['Fax: 030 999999, Tel: 030 123456', '030 123456'],
    ['телефон: +7 495 123-45-67', '+7 495 123-45-67'],
  ])('is a phone in %j', (text, phone) => {
    expect(labelledNumbers(text).phones).toEqual([phone]);
  });

  it.each([
    'Fax: +49 30 123456',
    'Telefax 030 123456',
    'VAT 030 123456',
    '12.05.2024 – 14.05.2024',
    'Tel: 112',
    'Hotel 1234567',
    'Tel. none. We were founded a long time ago, which is in 1234567',
  ])('is none in %j', (text) => {
    expect(labelledNumbers(text).phones).toEqual([]);
  });

  it('takes its label from right before it only', () => {
    const text = 'Tel: 030 123456\nFax: 030 123457\nHandelsregister 7654321';
    expect(labelledNumbers(text)).toEqual({ phones: ['030 123456'], faxes: ['030 123457'] });
  });
});

it.each([
  ['tel:+49-30-123456', '+49-30-123456'],
  ['TEL:%2B49%2030%20123456;ext=5', '+49 30 123456'],
  ['tel:', undefined],
  ['tel:call-me', undefined],
  ['fax:+4930123456', undefined],
])('the link %j dials %j', (href, phone) => {
  expect(phoneOfLink(href)).toBe(phone);
});

it('lists each phone once as it was written first, without what is a fax elsewhere', () => {
  const numbers = ['+49 30 1234567', '+49301234567', '030 555 1234', '+49 30 7654321'];
  expect(phonesOf(numbers, ['030 765 43 21'])).toEqual(['+49 30 1234567', '030 555 1234']);
});
