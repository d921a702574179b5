import type { Publication } from '../feeds/publication.js';
import { SeededRandom } from '../seeded-random.js';
import { bakery } from '../text/subjects/bakery.js';
import { books } from '../text/subjects/books.js';
import { garden } from '../text/subjects/garden.js';
import { music } from '../text/subjects/music.js';
import { repair } from '../text/subjects/repair.js';
import { town } from '../text/subjects/town.js';

const COUNT = 40;
const STARTS = [
  'Ash',
  'Brack',
  'Corn',
  'Dun',
  'Elm',
  'Fal',
  'Glen',
  'Hazel',
  'Ister',
  'Kel',
  'Lang',
  'Marl',
  'Nether',
  'Oak',
];
const ENDS = ['bridge', 'by', 'combe', 'field', 'ford', 'ham', 'holm', 'ley', 'mere', 'stow', 'thorpe', 'wick'];
const KINDS = [
  ['Parish News', town],
  ['Gardeners', garden],
  ['Reading Circle', books],
  ['Village Band', music],
  ['Mending Evening', repair],
  ['Oven', bakery],
] as const;

/** Feeds with long archives, for an import. */
export function villagesOf(seed: number): Publication[] {
  const random = new SeededRandom(seed, 'villages');
  const names = random.shuffled(STARTS.flatMap((start) => ENDS.map((end) => `${start}${end}`))).slice(0, COUNT);
  return names.map((place, at) => {
    const [kind, subject] = KINDS[at % KINDS.length] ?? KINDS[0];
    return {
      slug: place.toLowerCase(),
      title: `${place} ${kind}`,
      place,
      subject,
      folder: 'Villages',
      format: random.pick(['rss', 'rss', 'atom', 'json'] as const),
      rhythm: 'silent' as const,
      past: { posts: random.between(30, 90), everyHours: random.between(12, 40) },
      hasArchive: true,
    };
  });
}
