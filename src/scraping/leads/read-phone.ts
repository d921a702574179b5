import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { tidyText } from './fold-text.js';

const MAX_LENGTH = 50;
const MIN_DIGITS = 5;
const FAX = /^\P{L}*(?:tele|télé)?(?:fax|faks|facsimile|факс)/iu;
const COMMENT = /\p{L}{2,}/u;

/** Country domains that are sold worldwide and so do not indicate a country. */
const SOLD_WIDELY = new Set(['ai', 'cc', 'co', 'fm', 'gg', 'io', 'la', 'ly', 'me', 'sh', 'so', 'to', 'tv', 'vc', 'ws']);

/**
 * Returns E.164 if the number is valid in a country, otherwise the tidied text. Undefined if it is not a phone
 * number.
 */
export function readPhone(text: string, region: CountryCode | undefined): string | undefined {
  // Labels such as "Tel.:" are removed, and fax numbers are not phone numbers.
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

/** Returns the region of a number without a country prefix: the company's country, or that of its domain. */
export function phoneRegion(country: string | undefined, domain: string | undefined): CountryCode | undefined {
  const suffix = domain?.split('.').at(-1) ?? '';
  const byDomain = SOLD_WIDELY.has(suffix) ? '' : suffix === 'uk' ? 'GB' : suffix.toUpperCase();
  return [country, byDomain].find((code): code is CountryCode => code !== undefined && isSupportedCountry(code));
}
