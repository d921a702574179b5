import { expect, it } from 'vitest';
import { addressesIn, isOpml, refusedAddresses } from './feed-input';

it('reads an address from every line that has one', () => {
  expect(addressesIn(' https://a.example/feed \r\n\n\thttps://b.example\n')).toEqual([
    'https://a.example/feed',
    'https://b.example',
  ]);
});

it('tells OPML from a list of addresses by its first character', () => {
  expect(isOpml('\uFEFF \n<?xml version="1.0"?><opml/>')).toBe(true);
  expect(isOpml('https://a.example/feed')).toBe(false);
});

it('names the address that a refusal is about, and leaves out what is about something else', () => {
  const errors = [
    { path: 'feeds.1', message: 'is no web address' },
    { path: 'fields', message: 'unknown' },
    { path: 'feeds.9', message: 'not given' },
  ];
  expect(refusedAddresses(errors, ['https://a.example', 'nonsense'])).toEqual([
    { address: 'nonsense', why: 'is no web address' },
  ]);
});
