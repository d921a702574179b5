import { unescape as percentDecode } from 'node:querystring';

const NUMBER = /(?<![\w+@/.-])(?:\+|\(\+?)?\d[\d ()/.–-]{4,28}\d(?![\w@])/g;
/** A label may precede its number by up to this many characters. */
const LABEL_WINDOW = 40;
const PHONE =
  'tel|tél|telefon|téléphone|telephone|teléfono|telefono|telefone|telefoon|telef|telefonnummer|phone|fon|fone|ph|mobil|mobile|móvil|handy|portable|cell|call|hotline|rufnummer|puhelin|τηλ|тел|телефон|電話|tlf|gsm';
const FAX = 'fax|telefax|faks|telefaks|faxnummer|téléfax|факс|fx';
const LABEL = new RegExp(String.raw`(?<!\p{L})(?:(${FAX})|(?:${PHONE}))(?!\p{L})`, 'giu');
const BOTH = /(?<!\p{L})(?:tel|telefon|phone)\.? ?(?:\/|&|\+|und|and) ?(?:tele)?fax(?!\p{L})/iu;
const MIN_DIGITS = 6;
const MAX_DIGITS = 15;
const MAX_PHONES = 100;

/** Numbers without a label are ignored. */
export function labelledNumbers(text: string): { phones: string[]; faxes: string[] } {
  const phones: string[] = [];
  const faxes: string[] = [];
  let end = 0;
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    const before = text.slice(Math.max(end, index - LABEL_WINDOW), index);
    end = index + number.length;
    const label = labelIn(before);
    if (!label || !isDialled(number)) continue;
    if (label === 'phone') phones.push(number);
    else faxes.push(number);
  }
  return { phones: phones.slice(0, MAX_PHONES), faxes: faxes.slice(0, MAX_PHONES) };
}

/** The label closest to the number counts. */
function labelIn(before: string): 'phone' | 'fax' | undefined {
  if (BOTH.test(before)) return 'phone';
  const last = [...before.matchAll(LABEL)].at(-1);
  return last && (last[1] ? 'fax' : 'phone');
}

export function phoneOfLink(href: string): string | undefined {
  const [, dialled] = /^\s*tel:([^;?]*)/i.exec(href) ?? [];
  const number = percentDecode((dialled ?? '').slice(0, 100))
    .replace(/[^\d+()/. -]/g, '')
    .trim();
  return isDialled(number) ? number : undefined;
}

export function phonesOf(numbers: string[], faxes: string[]): string[] {
  const unwanted = new Set(faxes.map(ending));
  const once = new Map(numbers.map((number) => [digitsOf(number), number.trim()] as const).toReversed());
  const kept = numbers.map(digitsOf).filter((digits, at, all) => all.indexOf(digits) === at);
  return kept
    .filter((digits) => !unwanted.has(ending(digits)))
    .flatMap((digits) => once.get(digits) ?? [])
    .slice(0, MAX_PHONES);
}

const digitsOf = (number: string) => number.replace(/\D/g, '');

/** The last digits are the same with and without a country prefix. */
const ending = (number: string) => digitsOf(number).slice(-7);

function isDialled(number: string): boolean {
  const { length } = digitsOf(number);
  return length >= MIN_DIGITS && length <= MAX_DIGITS;
}
