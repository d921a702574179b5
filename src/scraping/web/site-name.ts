const SEPARATOR = /\s+[-–—|·•:»«/]+\s+|\s*[|·•»«]\s*|:\s+/;
/** What front pages are called, in some languages. */
const GENERIC =
  /^(home|home ?page|start|startseite|start ?page|index|welcome|willkommen|herzlich willkommen|accueil|bienvenue|inicio|bienvenidos?|in[ií]cio|página principal|pagina iniziale|benvenuti|hem|forside|etusivu|главная|impressum|imprint|kontakt|contact|contact us|contacto|contatti|über uns|about|about us|untitled|new page|default|website|site)$/i;
const GREETING =
  /^(welcome to|willkommen (?:bei|beim|auf|zu)(?: der| dem)?|herzlich willkommen (?:bei|beim|auf|zu)(?: der| dem)?|bienvenue (?:chez|à|sur)|bienvenidos? a|benvenuti (?:da|a|in|su))\s+/i;
const LONGEST = 200;

/** The name in the title of a front page: without "Home" and the like, and of several parts the one that the domain is made of. */
export function nameInTitle(title: string, domain: string): string | undefined {
  const parts = title
    .slice(0, 1_000)
    .split(SEPARATOR)
    .map((part) => part.replace(GREETING, '').trim())
    .filter((part) => /[\p{L}\d]/u.test(part) && !GENERIC.test(part) && part.length <= LONGEST);
  const label = lettersOf(domain.split('.')[0] ?? '');
  return parts.find((part) => isNamedIn(part, label)) ?? parts[0];
}

const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\d]/gu, '');

/** "Müller & Söhne GmbH" is what mueller-soehne.de, muller.de and mueller-soehne-gmbh.de are named after. */
function isNamedIn(part: string, label: string): boolean {
  if (!label) return false;
  const spellings = [part, part.replace(/ä/gi, 'ae').replace(/ö/gi, 'oe').replace(/ü/gi, 'ue').replace(/ß/g, 'ss')];
  return spellings
    .map(lettersOf)
    .some((letters) => letters.length > 2 && (letters.includes(label) || label.includes(letters)));
}
