/** Names of the months as they begin, by language; the twelve of one are in order. */
const NAMES = [
  'jan feb mar apr may jun jul aug sep oct nov dec', // English
  'jan fév mars avr mai juin juil aoû sep oct nov déc', // French
  'jan fev mar avr mai jui jui aou sep oct nov dec', // French without accents
  'jän feb mär apr mai jun jul aug sep okt nov dez', // German
  'ene feb mar abr may jun jul ago sep oct nov dic', // Spanish
  'gen feb mar apr mag giu lug ago set ott nov dic', // Italian
  'jan fev mar abr mai jun jul ago set out nov dez', // Portuguese
  'jan feb maa apr mei jun jul aug sep okt nov dec', // Dutch
  'sty lut mar kwi maj cze lip sie wrz paź lis gru', // Polish
  'янв фев мар апр мая июн июл авг сен окт ноя дек', // Russian
  'ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπ οκτ νοέ δεκ', // Greek
  'jan feb már ápr máj jún júl aug sze okt nov dec', // Hungarian
].map((names) => names.split(' '));

const ALL = NAMES.flatMap((names) => names.map((name, index) => ({ name, month: index + 1 })))
  // The longest first, so that `juil` is July before `jui` is taken for June.
  .sort((a, b) => b.name.length - a.name.length);

/** The month that a word names, from 1. */
export function monthOf(word: string): number | undefined {
  const lower = word.toLowerCase();
  return ALL.find(({ name }) => lower.startsWith(name))?.month;
}
