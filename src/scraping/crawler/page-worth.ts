/** How much a page is likely to say about the site's owner. Lower values are read first. */
export const WORTH = { home: 0, imprint: 1, contact: 2, about: 3, privacy: 4, other: 5 } as const;
export type Worth = (typeof WORTH)[keyof typeof WORTH];

/** The words are written as `folded` returns them. */
const WORDS: [Worth, string][] = [
  [
    WORTH.imprint,
    `impressum, imprint, legal notice, legal information, legal, site notice, anbieterkennzeichnung, company details,
    mentions legales, aviso legal, informacion legal, note legali, informacoes legais, colofon, kolofon,
    nota prawna`,
  ],
  [
    WORTH.contact,
    `contact, contacts, contact us, contactus, get in touch, reach us, find us, locations, kontakt, kontakte, anfahrt,
    standort, standorte, filialen, ansprechpartner, contactez nous, nous contacter, contacto, contactos, contactanos,
    contatti, contatto, contattaci, contato, contatos, fale conosco, kontakta oss, kontakty, yhteystiedot,
    ota yhteytta, iletisim, kapcsolat, контакты, контакти, επικοινωνια, お問い合わせ, 联系我们`,
  ],
  [
    WORTH.about,
    `about, about us, aboutus, who we are, company, our story, team, our team, our people, ueber uns, ueberuns, uber uns,
    wer wir sind, unternehmen, firma, das team, unser team, a propos, apropos, qui sommes nous, equipe, notre equipe,
    entreprise, societe, sobre, sobre nosotros, sobre nos, nosotros, quienes somos, quem somos, empresa, equipo,
    chi siamo, azienda, over ons, wie zijn wij, ons team, om os, om oss, o nas, o firmie, hakkımızda, hakkimizda,
    tietoa meista, yritys, о компании, о нас, 会社概要, 关于我们`,
  ],
  [
    WORTH.privacy,
    `privacy, privacy policy, datenschutz, datenschutzerklarung, datenschutzerklaerung, confidentialite, privacidad,
    privacidade`,
  ],
];
/** Shorter words occur in headings by chance and must be the whole heading. */
const MIN_PARTIAL_LENGTH = 6;
const SIGNS = WORDS.map(([worth, words]) => ({ worth, sign: signOf(words.split(/,\s+/)) }));
/** Longer headings are ignored, because they are about something else. */
const MAX_HEADING_LENGTH = 40;

function signOf(words: string[]): RegExp {
  const partial = words.filter(({ length }) => length >= MIN_PARTIAL_LENGTH);
  return new RegExp(`^(?:${words.join('|')})$|(?:^| )(?:${partial.join('|')})(?: |$)`);
}

export function pageWorth(url: URL, linkText = ''): Worth {
  if (isHome(url)) return WORTH.home;
  const headings = [linkText, ...pathParts(url)].map(folded).filter((one) => one && one.length <= MAX_HEADING_LENGTH);
  return SIGNS.find(({ sign }) => headings.some((heading) => sign.test(heading)))?.worth ?? WORTH.other;
}

function isHome({ pathname, search }: URL): boolean {
  return !search && /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:(?:index|home|default)\.\w{2,5})?$/i.test(pathname);
}

function pathParts({ pathname, searchParams }: URL): string[] {
  return [
    ...decoded(pathname)
      .replace(/\.\w{2,5}$/, '')
      .split('/'),
    ...searchParams.values(),
  ];
}

/** Returns lower case without accents, with a blank for everything that is not a letter or digit. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
}

function decoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'));
}
