import type { Publication } from '../feeds/publication.js';
import { SeededRandom } from '../seeded-random.js';
import { bakery } from '../text/subjects/bakery.js';
import { ferry } from '../text/subjects/ferry.js';
import { orbit } from '../text/subjects/orbit.js';
import { railway } from '../text/subjects/railway.js';
import { town } from '../text/subjects/town.js';
import { writeArticle } from '../text/write-article.js';

/** The accounts that posts are published to. */
export type AccountName = 'page' | 'company' | 'ferries' | 'museum' | 'newsletter';

export interface PlannedPost {
  account: AccountName;
  /** Milliseconds since the start of the demo. */
  offsetMs: number;
  text: string;
  priority: 'high' | 'normal' | 'low';
  hasPicture: boolean;
}

const VOICES: Record<AccountName, Pick<Publication, 'title' | 'place' | 'subject'>> = {
  page: { title: 'Mill Bakery', place: 'Mill Lane', subject: bakery },
  company: { title: 'Kestrel Orbit', place: 'Svartnes', subject: orbit },
  ferries: { title: 'Ellery Ferries', place: 'Port Ellery', subject: ferry },
  museum: { title: 'Fennel Valley Railway Museum', place: 'Fennel', subject: railway },
  newsletter: { title: 'Ellery Gazette', place: 'Port Ellery', subject: town },
};

const ROUND_MS = 60_000;
/** Seconds from the start of every round. */
const ROUND: [number, AccountName][] = [
  ...([
    [2, 'ferries'],
    [6, 'page'],
    [11, 'newsletter'],
    [16, 'museum'],
    [21, 'company'],
  ] as [number, AccountName][]),
  ...([
    [29, 'ferries'],
    [35, 'page'],
    [41, 'newsletter'],
    [47, 'museum'],
    [54, 'company'],
  ] as [number, AccountName][]),
];
/** More posts than the limit of the page allows, in the first round and every third after it. */
const RUSH: [number, AccountName][] = [23, 24, 25, 26].map((second) => [second, 'page']);
/** Less is published after this many rounds, because a demo may run for days. */
const LIVELY_ROUNDS = 10;

/** The posts from one time up to, but not including, another, in milliseconds since the start of the demo. */
export function plannedPosts(seed: number, from: number, until: number): PlannedPost[] {
  const posts: PlannedPost[] = [];
  for (let round = Math.max(0, Math.floor(from / ROUND_MS)); round * ROUND_MS < until; round++)
    posts.push(...postsOfRound(seed, round));
  return posts.filter(({ offsetMs }) => offsetMs >= from && offsetMs < until);
}

function postsOfRound(seed: number, round: number): PlannedPost[] {
  const isLively = round < LIVELY_ROUNDS;
  const usual = isLively ? ROUND : ROUND.filter((_, at) => (at + round) % 4 === 0);
  const rush = isLively && round % 3 === 0 ? RUSH : [];
  return [...usual, ...rush].map(([second, account]) => postOf(seed, account, round * ROUND_MS + second * 1_000));
}

export function postOf(seed: number, account: AccountName, offsetMs: number): PlannedPost {
  const random = new SeededRandom(seed, account, offsetMs, 'publication');
  const { title, place, subject } = VOICES[account];
  const article = writeArticle(subject, { place, publication: title }, random);
  const [first = ''] = article.paragraphs[0]?.match(/^.*?[.!?](?= |$)/) ?? [];
  // The number makes the text unique, because platforms refuse repeated posts.
  const text = `${article.title}. ${first} (${title} ${Math.floor(offsetMs / 1_000)})`;
  const priority = random.pick(['high', 'normal', 'normal', 'normal', 'low'] as const);
  return { account, offsetMs, text, priority, hasPicture: random.between(1, 4) === 1 };
}
