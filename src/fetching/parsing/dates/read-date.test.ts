import { describe, expect, it } from 'vitest';
import { readDate } from './read-date.js';

const read = (text: string) => readDate(text)?.toISOString().replace('.000', '');

describe('dates as RFC 822 has them', () => {
  it.each([
    ['Thu, 01 Jan 2004 19:48:21 GMT', '2004-01-01T19:48:21Z'],
    ['Thu, 01 Jan 04 19:48:21 GMT', '2004-01-01T19:48:21Z'],
    ['Thu, 01 Jan 98 19:48:21 GMT', '1998-01-01T19:48:21Z'],
    ['1 Jan 2004 19:48 GMT', '2004-01-01T19:48:00Z'],
    ['Fri,24 Nov 2023 18:28:36 -0000', '2023-11-24T18:28:36Z'],
    ['Sun, 28 Oct 2018 13:48:00 +0100', '2018-10-28T12:48:00Z'],
    ['Mon, 02 Jan 2006 15:04:05 EST', '2006-01-02T20:04:05Z'],
    ['Thu, 30 Apr 2015 08:57:00 MEST', '2015-04-30T06:57:00Z'],
    ['Mon, 26 January 2004 16:31:00 PT', '2004-01-27T00:31:00Z'],
    ['Thu, 29 Oct 2020 07:36:03 GMT-07:00', '2020-10-29T14:36:03Z'],
    ['Thu, 25 Feb 2016 00:00:00 Europe/Brussels', '2016-02-24T23:00:00Z'],
    ['Sat, 25 Jun 2016 00:00:00 Europe/Brussels', '2016-06-24T22:00:00Z'],
    ['Thu, 01 Jan 2004 19:48:21 Nowhere/Land', '2004-01-01T19:48:21Z'],
    ['Thu, 01 Jan 2004 19:48:21', '2004-01-01T19:48:21Z'],
    ['Thu, 01 Jan 2004', '2004-01-01T00:00:00Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('dates that only look like it', () => {
  it.each([
    ['Sun, 17 Dec 2017 1:55 PM EST', '2017-12-17T18:55:00Z'],
    ['Sun, 17 Dec 2017 12:05 a.m.', '2017-12-17T00:05:00Z'],
    ['Mon, November 16, 2020, 11:12 PM EST', '2020-11-17T04:12:00Z'],
    ['Thu, June 22, 2023 at 01:11 PM EDT', '2023-06-22T17:11:00Z'],
    ['Thurs, 15 Oct 2020 00:00:39 +0000', '2020-10-15T00:00:39Z'],
    ['Fri, 23rd Jun 2023 09:32:20 GMT', '2023-06-23T09:32:20Z'],
    ['Sun Jan  4 16:29:06 2004', '2004-01-04T16:29:06Z'],
    ['Sun Jan  4 16:29:06 PST 2004', '2004-01-05T00:29:06Z'],
    ['Monday, October 6, 2023 - 16:29\\n', '2023-10-06T16:29:00Z'],
    ['Fri, 2006/09/15 08:19:53 EDT', '2006-09-15T12:19:53Z'],
    ['Fri, 26/06/2020', '2020-06-26T00:00:00Z'],
    ['06/26/2020 10:00', '2020-06-26T10:00:00Z'],
    ['26.06.2020 10:00', '2020-06-26T10:00:00Z'],
    ['05-Jan-04', '2004-01-05T00:00:00Z'],
    ['Sat, 11 04 2020 08:51:49 +0100', '2020-04-11T07:51:49Z'],
    ['1520932969', '2018-03-13T09:22:49Z'],
    ['1520932969000', '2018-03-13T09:22:49Z'],
    ['Nov. 2020', '2020-11-01T00:00:00Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('months in other languages', () => {
  it.each([
    ['jeu., 02 avril 2020 00:00:00 +0200', '2020-04-01T22:00:00Z'],
    ['3 août 2020', '2020-08-03T00:00:00Z'],
    ['14 juillet 2020', '2020-07-14T00:00:00Z'],
    ['mar, 16 feb 2021 10:00:00 GMT', '2021-02-16T10:00:00Z'],
    ['Di, 3. März 2020 08:00', '2020-03-03T08:00:00Z'],
    ['5 enero 2021', '2021-01-05T00:00:00Z'],
    ['5 мая 2021', '2021-05-05T00:00:00Z'],
    ['2004-július-13T9:15-05:00', '2004-07-13T14:15:00Z'],
    ['2004-05-25 오후 11:23:17', '2004-05-25T14:23:17Z'],
    ['2004년 05월 28일  01:31:15', '2004-05-27T16:31:15Z'],
    ['2004년 05월 28일 01:31:15 GMT', '2004-05-28T01:31:15Z'],
    ['2004年5月28日 01:31', '2004-05-28T01:31:00Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('ISO dates', () => {
  it.each([
    ['2003-12-31T10:14:55Z', '2003-12-31T10:14:55Z'],
    ['2007-04-23T23:25:47.538+10:00', '2007-04-23T13:25:47Z'],
    ['2003-07-01T10:51:30-0800', '2003-07-01T18:51:30Z'],
    ['2004-07-08 23:56:58', '2004-07-08T23:56:58Z'],
    ['2004-07-08T23:56', '2004-07-08T23:56:00Z'],
    ['2004-07-08T23:56:58 EST', '2004-07-09T04:56:58Z'],
    ['2003-12', '2003-12-01T00:00:00Z'],
    ['2003', '2003-01-01T00:00:00Z'],
    ['20031231', '2003-12-31T00:00:00Z'],
    ['2003-335', '2003-12-01T00:00:00Z'],
    ['2003-1-5', '2003-01-05T00:00:00Z'],
    ['2003-12-31T24:00:00Z', '2004-01-01T00:00:00Z'],
    ['2003-04-31', '2003-05-01T00:00:00Z'],
    ['2003-012-31T10:14:55+00:00', '2003-12-31T10:14:55Z'],
    ['031231', '2003-12-31T00:00:00Z'],
    ['03-12-31', '2003-12-31T00:00:00Z'],
    ['-0312', '2003-12-01T00:00:00Z'],
    ['-03-12', '2003-12-01T00:00:00Z'],
    ['03335', '2003-12-01T00:00:00Z'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

it('says 1970 and the future as the source says them', () => {
  expect(read('Thu, 01 Jan 1970 00:00:00 GMT')).toBe('1970-01-01T00:00:00Z');
  expect(read('2999-01-01T00:00:00Z')).toBe('2999-01-01T00:00:00Z');
});

it.each([
  '',
  ' ',
  'yesterday',
  'Thu, 32 Jan 2004',
  '2004-13-01',
  '2004-01-01T25:00:00Z',
  '12:30',
  '17',
  'x'.repeat(500),
])('cannot read %j', (text) => expect(read(text)).toBeUndefined());

describe('dates in the standard formats', () => {
  const NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  const two = (number: number) => String(number).padStart(2, '0');

  it.each(['GMT', '+0000', '-0730', '+0530'])('mean the same as with a space before them (%s)', (zone) => {
    for (let month = 0; month <= 13; month++)
      for (const [day, hour, minute, second] of [
        [1, 0, 0, 0],
        [30, 23, 59, 60],
        [31, 24, 0, 0],
        [0, 25, 60, 61],
      ]) {
        const time = [hour, minute, second].map((number) => two(number ?? 0)).join(':');
        const worded = `Tue, ${two(day ?? 0)} ${NAMES[month % 12]} 2021 ${time} ${zone}`;
        const iso = `2021-${two(month)}-${two(day ?? 0)}T${time}${zone === 'GMT' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`;
        for (const text of [worded, worded.slice(5), iso, iso.replace(/(?=[Z+]|-\d\d:)/, '.25')])
          expect([text, readDate(text)]).toEqual([text, readDate(` ${text}`)]);
      }
  });

  it('may be of the first century', () => {
    expect(read('0021-09-06T12:00:00Z')).toBe('0021-09-06T12:00:00Z');
    expect(read('Mon, 06 Sep 0021 12:00:00 GMT')).toBe('0021-09-06T12:00:00Z');
  });
});
