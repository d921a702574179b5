import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { tidyText } from './fold-text.js';

const MAX_LENGTH = 50;
const MIN_DIGITS = 5;
const FAX = /^\P{L}*(?:tele|télé)?(?:fax|faks|facsimile|факс)/iu;
const COMMENT = /\p{L}{2,}/u;

/** Country domains that are sold to everybody, and so tell of no country. */
const SOLD_WIDELY = new Set(['ai', 'cc', 'co', 'fm', 'gg', 'io', 'la', 'ly', 'me', 'sh', 'so', 'to', 'tv', 'vc', 'ws']);

/** In E.164 where it can be read as a number of a country, else as it was, tidied. Undefined if it is no number at all. */
export function readPhone(text: string, region: CountryCode | undefined): string | undefined {
  // "Tel.:" and the like; a fax is no phone.
  const given = tidyText(text, MAX_LENGTH * 2)?.normalize('NFKC');
  const tidy = given?.replace(/^[^\p{Nd}+(]+/u, '');
  if (!given || !tidy || FAX.test(given)) return undefined;
  const dialled = tidy.replace(/^\(?00\)?(?=[\s1-9])/, '+');
  const options = { extract: false, ...(region && { defaultCountry: region }) };
  for (const spelling of [tidy, dialled]) {
    const number = parsePhoneNumberFromString(spelling, options);
    if (number?.isValid()) return number.number;
  }
  const isNumber =
    (tidy.match(/\p{Nd}/gu)?.length ?? 0) >= MIN_DIGITS && !COMMENT.test(tidy.replace(/\bext\b.*$/i, ''));
  return isNumber && tidy.length <= MAX_LENGTH ? tidy : undefined;
}

/** Where a number without a country's prefix belongs: to the company's country, or to that of its domain. */
export function phoneRegion(country: string | undefined, domain: string | undefined): CountryCode | undefined {
  const suffix = domain?.split('.').at(-1) ?? '';
  const byDomain = SOLD_WIDELY.has(suffix) ? '' : suffix === 'uk' ? 'GB' : suffix.toUpperCase();
  return [country, byDomain].find((code): code is CountryCode => code !== undefined && isSupportedCountry(code));
}
