import { domainToUnicode } from 'node:url';
import { foldText } from './fold-text.js';

const MAX_TITLE_LENGTH = 1_000;
const SEPARATORS = /\s*[|»«·•‖]+\s*|\s+[-–—:~/]+\s+|:\s+/u;

const GENERIC =
  /^(home ?page|home|start|startseite|start page|main page|hauptseite|accueil|inicio|início|index|welcome|(herzlich )?willkommen|bienvenue|bienvenid[oa]s?|benvenut[oi]|contact( us)?|kontakt|contacto|contatti|about( us)?|über uns|impressum|imprint|legal notice|mentions légales|aviso legal|(the )?official (web ?)?site|offizielle (web)?seite|site officiel|sitio oficial|web ?site|untitled|my site|new page|default|site|página principal|pagina iniziale|hem|forside|etusivu|главная|blog|news|menu|shop|login|jobs|404.*)$/iu;

const GREETING =
  /^(welcome to|welcome at|(herzlich )?willkommen (beim?|in|im|auf|zu)( der| dem)?|bienvenue (chez|à|sur)|bienvenid[oa]s? a|benvenuti (da|a|in|su)) /iu;

export function partsOfTitle(title: string): string[] {
  return title
    .slice(0, MAX_TITLE_LENGTH)
    .split(SEPARATORS)
    .map((part) =>
      part
        .replace(GREETING, '')
        .replace(/\s*(…|\.{3})$/u, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => /[\p{L}\p{N}]/u.test(part) && !GENERIC.test(part));
}

/** Returns the segment that matches the domain, such as Acme of "Fresh bread | Acme" at acme.example. */
export function nameLikeDomain(parts: string[], domain: string): string | undefined {
  const [label = ''] = domainToUnicode(domain).split('.');
  const squashed = squash(label)[0] ?? '';
  const alike = (isAlike: (part: string) => boolean) => parts.find((part) => squash(part).some(isAlike));
  return (
    alike((part) => part === squashed) ??
    alike((part) => (part.length >= 4 && squashed.includes(part)) || (squashed.length >= 4 && part.includes(squashed)))
  );
}

const TRANSLITERATED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', '&': 'und' };

/** Returns the text as domains spell it, without and with German transliterations. */
function squash(text: string): string[] {
  const lower = text.normalize('NFC').toLowerCase();
  const spelled = lower.replace(/[äöü&]/gu, (letter) => TRANSLITERATED[letter] ?? letter);
  return [lower, spelled].map((form) => foldText(form).replace(/[^\p{L}\p{N}]/gu, '')).filter(Boolean);
}
