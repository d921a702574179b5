import { foldText } from '../leads/fold-text.js';
import type { Criteria } from '../scraper.js';
import { literally, quoted } from './overpass.js';

/** OpenStreetMap tags by the English and German words for them, in the singular. */
const INDUSTRIES: Record<string, string> = {
  'amenity=restaurant': 'restaurant, gaststätte, gasthaus, speiselokal',
  'amenity=cafe': 'cafe, coffee shop, coffeehouse, kaffeehaus',
  'amenity=bar amenity=pub': 'bar, pub, kneipe, bars and pubs',
  'amenity=fast_food': 'fast food, takeaway, imbiss, schnellrestaurant',
  'amenity=ice_cream shop=ice_cream': 'ice cream, ice cream parlour, eisdiele, eiscafe',
  'amenity=nightclub': 'nightclub, club, diskothek',
  'craft=caterer': 'caterer, catering',
  'shop=bakery': 'bakery, baker, bäckerei, bäcker',
  'shop=pastry shop=confectionery': 'pastry shop, patisserie, confectionery, konditorei',
  'shop=butcher': 'butcher, metzgerei, metzger, fleischerei, fleischer',
  'craft=brewery': 'brewery, brauerei',
  'craft=winery': 'winery, weingut',
  'shop=supermarket': 'supermarket, grocery, supermarkt, lebensmittelmarkt',
  'shop=clothes': 'clothing, clothes, fashion, boutique, mode, bekleidung',
  'shop=shoes': 'shoe, schuh, schuhgeschäft',
  'shop=jewelry': 'jewelry, jewellery, jeweller, jeweler, juwelier, schmuck',
  'shop=florist': 'florist, flower, blumenladen, blumen',
  'shop=furniture': 'furniture, möbel, möbelhaus',
  'shop=electronics': 'electronics, elektronik, elektromarkt',
  'shop=computer': 'computer, computerladen',
  'shop=books': 'book, bookstore, bookshop, buchhandlung, buch',
  'shop=bicycle': 'bicycle, bike, fahrrad, fahrradladen',
  'shop=car': 'car dealer, car dealership, autohaus, autohändler',
  'shop=car_repair': 'car repair, garage, auto repair, autowerkstatt, kfz-werkstatt, werkstatt',
  'shop=doityourself shop=hardware': 'hardware, diy, baumarkt',
  'shop=optician': 'optician, optiker',
  'shop=hairdresser': 'hairdresser, hair salon, hair, barber, friseur, frisör',
  'shop=beauty': 'beauty, beauty salon, cosmetics, kosmetik, kosmetikstudio',
  'shop=massage': 'massage',
  'shop=pet': 'pet, zoohandlung, tierbedarf',
  'shop=laundry shop=dry_cleaning': 'laundry, dry cleaning, dry cleaner, wäscherei, reinigung',
  'shop=travel_agency': 'travel agency, travel, reisebüro',
  'shop=funeral_directors': 'funeral director, funeral home, undertaker, bestatter, bestattung',
  'amenity=pharmacy': 'pharmacy, apotheke',
  'amenity=dentist healthcare=dentist': 'dentist, dental, dental clinic, dental practice, zahnarzt, zahnarztpraxis',
  'amenity=doctors healthcare=doctor': 'doctor, physician, medical practice, arzt, arztpraxis',
  'amenity=clinic healthcare=clinic': 'clinic, medical centre, medical center, klinik',
  'amenity=hospital': 'hospital, krankenhaus',
  'amenity=veterinary': 'veterinary, vet, veterinarian, tierarzt, tierarztpraxis',
  'healthcare=physiotherapist': 'physiotherapist, physiotherapy, physical therapy, physiotherapeut, physiotherapie',
  'amenity=kindergarten amenity=childcare': 'kindergarten, nursery, childcare, daycare, kita',
  'amenity=school': 'school, schule',
  'amenity=language_school': 'language school, sprachschule',
  'amenity=driving_school': 'driving school, fahrschule',
  'amenity=bank': 'bank',
  'amenity=car_rental': 'car rental, autovermietung',
  'tourism=hotel': 'hotel',
  'tourism=hostel': 'hostel, jugendherberge',
  'tourism=guest_house': 'guest house, bed and breakfast, b&b, pension, gästehaus',
  'tourism=camp_site': 'camp site, campsite, campground, camping, campingplatz',
  'tourism=museum': 'museum',
  'leisure=fitness_centre': 'gym, fitness, fitness centre, fitness center, fitnessstudio',
  'office=lawyer': 'lawyer, law, attorney, solicitor, legal, anwalt, rechtsanwalt, anwaltskanzlei, kanzlei',
  'office=notary': 'notary, notar',
  'office=accountant': 'accountant, accounting, bookkeeper, buchhalter, buchhaltung, wirtschaftsprüfer',
  'office=tax_advisor': 'tax advisor, tax adviser, tax consultant, steuerberater, steuerberatung',
  'office=it': 'it, software, information technology, saas, edv, softwareentwicklung, software development',
  'office=telecommunication': 'telecommunication, telecom, telekommunikation',
  'office=estate_agent shop=estate_agent': 'estate agent, real estate, realtor, immobilien, immobilienmakler, makler',
  'office=insurance': 'insurance, versicherung, versicherungsmakler',
  'office=financial office=financial_advisor': 'finance, financial, financial advisor, finanzberatung, finanzberater',
  'office=architect': 'architect, architecture, architekt, architekturbüro',
  'office=engineer': 'engineer, engineering, ingenieur, ingenieurbüro',
  'office=consulting': 'consulting, consultant, consultancy, beratung, unternehmensberatung',
  'office=advertising_agency': 'advertising, advertising agency, marketing, marketing agency, werbeagentur, werbung',
  'office=employment_agency': 'employment agency, staffing, recruiting, recruitment, personalvermittlung, zeitarbeit',
  'office=logistics': 'logistics, freight, shipping, logistik, spedition',
  'office=coworking amenity=coworking_space': 'coworking, coworking space',
  'craft=electrician': 'electrician, elektriker, elektroinstallation',
  'craft=plumber craft=hvac': 'plumber, plumbing, hvac, klempner, installateur, sanitär, heizungsbau',
  'craft=carpenter craft=joiner': 'carpenter, carpentry, joiner, joinery, tischlerei, tischler, schreinerei, schreiner',
  'craft=painter': 'painter, maler, malerbetrieb',
  'craft=roofer': 'roofer, roofing, dachdecker',
  'craft=builder office=construction_company': 'construction, builder, building contractor, bau, bauunternehmen',
  'craft=gardener': 'gardener, landscaping, landscaper, gärtner, gartenbau, landschaftsbau',
  'craft=photographer shop=photo': 'photographer, photography, fotograf, fotografie, fotostudio',
  'craft=tailor': 'tailor, schneider, schneiderei',
  'craft=cleaning': 'cleaning, gebäudereinigung',
  'craft=metal_construction': 'metal construction, metalworking, metallbau, schlosserei',
  'shop=printing craft=printer': 'printing, printer, print, druckerei, copyshop',
};

/** A tag that an element must have: exactly this value, or a value that contains this text. */
type Selector = { key: string; value: string } | { key: string; holds: string };

export interface Kind {
  term: string;
  selectors: Selector[];
}

const FREE_KEYS = ['shop', 'office', 'amenity', 'craft', 'tourism', 'healthcare'];
/** At most this many terms are searched, because each costs one or six statements. */
const MAX_KINDS = 5;
/** Shorter terms would match almost everything. */
const MIN_TERM_LENGTH = 3;
const GENERIC =
  /\s+(?:compan(?:y|ies)|firms?|business(?:es)?|services?|providers?|agenc(?:y|ies)|offices?|shops?|stores?|industry|sector)$/;

const BY_WORD = new Map(
  Object.entries(INDUSTRIES).flatMap(([tags, words]) =>
    words.split(',').map((word): [string, Selector[]] => [plain(word), tags.split(' ').map(toSelector)]),
  ),
);

/** Returns the kinds of the industry. Without one, the keywords are used, which otherwise only filter the results. */
export function kindsOf({ industry, keywords }: Criteria): Kind[] {
  const terms = industry?.trim() ? termsOf(industry) : keywords;
  return terms.flatMap((term) => kindOf(term) ?? []).slice(0, MAX_KINDS);
}

/** The returned function lists the terms, keywords included, that match an element's tags. */
export function tagReader({ industry = '', keywords }: Criteria): (tags: Record<string, string>) => string[] {
  const kinds = [...termsOf(industry), ...keywords].flatMap((term) => kindOf(term) ?? []);
  return (tags) => kinds.filter(({ selectors }) => selectors.some((one) => fits(one, tags))).map(({ term }) => term);
}

export function filterOf(selector: Selector): string {
  if ('value' in selector) return `[${quoted(selector.key)}=${quoted(selector.value)}]`;
  const pattern = selector.holds.split(' ').map(literally).join('[ _-]');
  return `[${quoted(selector.key)}~${quoted(pattern)},i]`;
}

/** "Cafés, bars" are two terms; "bed and breakfast" and "B&B" are one each. */
function termsOf(industry: string): string[] {
  return industry
    .split(/[,;/]/)
    .map((term) => term.trim())
    .filter(Boolean);
}

function kindOf(term: string): Kind | undefined {
  const word = plain(term);
  const bare = word.replace(GENERIC, '');
  const known = [...singulars(word), ...singulars(bare)].find((spelling) => BY_WORD.has(spelling));
  if (known) return { term, selectors: BY_WORD.get(known) ?? [] };
  const holds = bare.replace(/(?<=[^s]{3})s$/, '');
  if (holds.length < MIN_TERM_LENGTH) return undefined;
  return { term, selectors: FREE_KEYS.map((key) => ({ key, holds })) };
}

function fits(selector: Selector, tags: Record<string, string>): boolean {
  // Queries for one of several values separated by semicolons do not find them, so they do not match here either.
  const value = tags[selector.key]?.toLowerCase();
  if (value === undefined) return false;
  return 'value' in selector ? value === selector.value : value.replace(/[_-]/g, ' ').includes(selector.holds);
}

function singulars(word: string): string[] {
  return [word, word.replace(/ies$/, 'y'), ...['s', 'es', 'n', 'en', 'e'].map((end) => withoutEnd(word, end))];
}

const withoutEnd = (word: string, end: string): string => (word.endsWith(end) ? word.slice(0, -end.length) : word);

function plain(words: string): string {
  return foldText(words.slice(0, 200))
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

function toSelector(tag: string): Selector {
  const [key = '', value = ''] = tag.split('=');
  return { key, value };
}
