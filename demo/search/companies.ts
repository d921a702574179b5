import { SeededRandom } from '../seeded-random.js';

export interface Company {
  name: string;
  slug: string;
  /** A domain below `.example`, which nobody can register. */
  domain: string;
  email: string;
  /** A phone number that is reserved for fiction. */
  phone: string;
  street: string;
  postcode: string;
  description: string;
  trade: Trade;
}

export type Trade = 'bakery' | 'bookshop';

export const TOWN = 'Port Ellery';

const NAMES: Record<Trade, { starts: string[]; ends: string[]; about: string[] }> = {
  bakery: {
    starts: [
      'Rye & Tide',
      'Old Mill',
      'Lantern',
      'Two Ovens',
      'Barley Row',
      'Quayside',
      'Hearth',
      'Morning Star',
      'Seven Loaves',
      'Crust',
    ],
    ends: ['Bakery', 'Bread Co.', 'Bakehouse', 'Patisserie'],
    about: [
      'Sourdough and rolls, baked overnight',
      'Rye bread, cakes to order and coffee',
      'Family bakery with a wood-fired oven',
      'Organic bread, delivered by bicycle',
    ],
  },
  bookshop: {
    starts: ['Paper Boat', 'The Lock', 'Second Chapter', 'Saddler’s', 'Blue Door', 'Harbour'],
    ends: ['Books', 'Bookshop', 'Antiquarian'],
    about: [
      'New and used books, maps and prints',
      'Children’s books and readings on Saturdays',
      'Travel writing and old sea charts',
    ],
  },
};
const STREETS = [
  'Mill Lane',
  'Chapel Hill',
  'Saddler’s Row',
  'Quay Street',
  'Lower Square',
  'Lantern Walk',
  'Station Road',
];

export function companiesOf(seed: number): Company[] {
  return (Object.keys(NAMES) as Trade[]).flatMap((trade) => ofTrade(seed, trade));
}

function ofTrade(seed: number, trade: Trade): Company[] {
  const random = new SeededRandom(seed, 'companies', trade);
  const { starts, ends, about } = NAMES[trade];
  const names = random.shuffled(starts.flatMap((start) => ends.map((end) => `${start} ${end}`)));
  return names.slice(0, trade === 'bakery' ? 32 : 14).map((name) => {
    const slug = name
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .replace(/-$/, '');
    return {
      name,
      slug,
      trade,
      domain: `${slug}.example`,
      email: `hello@${slug}.example`,
      phone: `+44 1632 960${random.between(100, 999)}`,
      street: `${random.pick(STREETS)} ${random.between(1, 88)}`,
      postcode: `PE${random.between(1, 9)} ${random.between(1, 9)}QD`,
      description: random.pick(about),
    };
  });
}
