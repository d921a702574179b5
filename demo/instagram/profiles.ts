import type { Rhythm } from '../feeds/publication.js';
import type { Subject } from '../text/subject.js';
import { bakery } from '../text/subjects/bakery.js';
import { chess } from '../text/subjects/chess.js';
import { ferry } from '../text/subjects/ferry.js';
import { garden } from '../text/subjects/garden.js';
import { music } from '../text/subjects/music.js';
import { stars } from '../text/subjects/stars.js';
import { town } from '../text/subjects/town.js';

/** How a profile differs from one that is always public. */
export type Temper =
  | 'private' // is shown to friends only
  | 'vanishes' // is deleted while the demo runs
  | 'busy'; // is rate limited now and then

export interface Profile {
  /** The username. */
  slug: string;
  fullName: string;
  place: string;
  subject: Subject;
  hashtags: string;
  rhythm: Rhythm;
  past: { posts: number; everyHours: number };
  /** The number of likes that an old post has. */
  fame: number;
  temper?: Temper;
}

type Row = [slug: string, fullName: string, place: string, subject: Subject, more: Partial<Profile>];

const every = (everySeconds: number) => ({ rhythm: { everySeconds } });

const ROWS: Row[] = [
  [
    'nora.bakes',
    'Nora Eskildsen',
    'Port Ellery',
    bakery,
    { ...every(25), fame: 4_200, hashtags: '#sourdough #ellery' },
  ],
  [
    'ellery.ferries',
    'Ellery Ferries',
    'Port Ellery',
    ferry,
    { ...every(40), fame: 900, hashtags: '#ferry #kellisland' },
  ],
  [
    'lantern.garden',
    'Lantern Point Garden',
    'Lantern Point',
    garden,
    { ...every(70), fame: 2_600, hashtags: '#garden' },
  ],
  ['night.sky.kell', 'Night Sky over Kell', 'Kell Island', stars, { ...every(110), fame: 18_000, hashtags: '#stars' }],
  ['the.dusty.rook', 'The Dusty Rook', 'Corran Hill', chess, { ...every(160), fame: 350, hashtags: '#chess' }],
  [
    'pier.festival',
    'Pier Festival',
    'Port Ellery',
    music,
    { ...every(30), fame: 31_000, hashtags: '#live', temper: 'busy' },
  ],
  ['town.popup', 'Pop-up on Quay Street', 'Port Ellery', town, { fame: 120, hashtags: '#popup', temper: 'vanishes' }],
  ['ilse.private', 'Ilse', 'Port Ellery', garden, { fame: 40, hashtags: '', temper: 'private' }],
];

export const PROFILES: readonly Profile[] = ROWS.map(([slug, fullName, place, subject, more]) => ({
  slug,
  fullName,
  place,
  subject,
  rhythm: 'silent',
  past: { posts: 40, everyHours: 9 },
  fame: 0,
  hashtags: '',
  ...more,
}));
