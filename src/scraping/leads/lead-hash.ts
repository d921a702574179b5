import { createHash } from 'node:crypto';
import { foldText } from './fold-text.js';
import type { Lead } from './lead.js';

/** Legal forms at the end (in some languages at the beginning) of company names, without dots. */
const LEGAL_FORMS = new Set(
  [
    'gmbh mbh ggmbh ug ag kg kgaa ohg gbr ek ev eg se haftungsbeschrankt partg partgmbb partnerschaftsgesellschaft',
    'aktiengesellschaft co cokg inc incorporated llc llp lp ltd limited plc corp corporation company pllc pc',
    'sa sarl sas sasu eurl snc sci scop srl srls spa sapa sl slu sll sau sc scp cv sab sapi sac eirl lda ltda eireli unipessoal',
    'bv nv vof bvba sprl ab hb kb as asa ans aps ivs oy oyj abp tmi sro vos doo dd jdoo kft bt zrt nyrt',
    'spzoo ood eood ad ead sia uab ou osauhing pty pte pvt private proprietary sdn bhd pt tbk jsc pjsc ojsc kk gk',
    'ооо оао зао пао ао тоо тов ип ae epe ike αε επε ικε sti',
  ].flatMap((line) => line.split(' ')),
);

/** Only these forms are removed from the beginning, because "SE" or "Co" may well begin a name. */
const LEADING_FORMS = new Set('ооо оао зао пао ао тоо тов ип uab sia pt'.split(' '));

const AND = new Set(['and', 'und', 'et', 'y']);

/** Forms of several words, and forms that are written without a space next to the name. */
const PHRASES =
  /\bsp z oo\b|\bs de rl\b|\bs en c\b|\bsa de cv\b|株式会社|有限会社|合同会社|有限责任公司|股份有限公司|有限公司|주식회사|유한회사/gu;

export function leadHash(lead: Lead): string {
  return createHash('sha256')
    .update(JSON.stringify(identity(lead)))
    .digest('hex');
}

/** The identity is the company's own domain, or its name with a phone number, e-mail or postal address. */
function identity({ domain, name, phones, emails, address, country }: Lead): (string | null)[] {
  if (domain) return ['domain', domain];
  const company = nameIdentity(name);
  const phone = smallest(phones.filter((number) => number.startsWith('+')));
  if (phone) return ['phone', company, phone];
  const email = smallest(emails);
  if (email) return ['email', company, email];
  return ['address', company, country, address && addressIdentity(address)];
}

/** Sources list contacts in different orders, so the smallest one is used. */
const smallest = (texts: string[]): string | undefined => texts.toSorted()[0];

function nameIdentity(name: string): string {
  const whole = words(name);
  const kept = withJoinedEnd(whole.replace(PHRASES, ' ').trim()).split(/ +/);
  while (kept.length > 1 && LEGAL_FORMS.has(kept.at(-1) ?? '')) {
    kept.pop();
    if (kept.length > 1 && AND.has(kept.at(-1) ?? '')) kept.pop();
  }
  if (kept.length > 1 && LEADING_FORMS.has(kept[0] ?? '')) kept.shift();
  return kept.join(' ') || whole;
}

/** Joins "e. V." and "S. A." to "ev" and "sa". */
function withJoinedEnd(name: string): string {
  return name.replace(/(?<= )\p{L}(?: \p{L})+$/u, (letters) => letters.replaceAll(' ', ''));
}

function addressIdentity(address: string): string {
  return words(address).replace(/str(?:asse)?(?=\s|\d|$)/g, 'str');
}

function words(text: string): string {
  return foldText(text)
    .replace(/[.'’`´]/g, '')
    .replace(/(?<![\p{L}\p{N}])(\p{L})\/(\p{L})(?![\p{L}\p{N}])/gu, '$1$2')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
