import type { Subject } from '../text/subject.js';
import { bakery } from '../text/subjects/bakery.js';
import { books } from '../text/subjects/books.js';
import { chess } from '../text/subjects/chess.js';
import { ferry } from '../text/subjects/ferry.js';
import { garden } from '../text/subjects/garden.js';
import { music } from '../text/subjects/music.js';
import { orbit } from '../text/subjects/orbit.js';
import { railway } from '../text/subjects/railway.js';
import { repair } from '../text/subjects/repair.js';
import { stars } from '../text/subjects/stars.js';
import { town } from '../text/subjects/town.js';
import { weather } from '../text/subjects/weather.js';
import type { Publication } from './publication.js';

type Row = [slug: string, title: string, place: string, subject: Subject, more: Partial<Publication>];

const every = (everySeconds: number) => ({ rhythm: { everySeconds } });
const past = (posts: number, everyHours: number) => ({ past: { posts, everyHours } });

const HARBOUR: Row[] = [
  ['harbour-weather', 'Harbour Weather', 'Port Ellery', weather, { ...every(7), ...past(60, 6) }],
  ['ferry-notices', 'Ellery Ferries: notices', 'Port Ellery', ferry, { ...every(13), format: 'json', ...past(50, 9) }],
  ['lighthouse-log', 'The Lighthouse Log', 'Lantern Point', weather, { ...every(31), format: 'atom', ...past(40, 12) }],
  ['kell-island', 'Kell Island Pier', 'Kell Island', ferry, { ...every(47), ...past(35, 20) }],
  ['pilot-station', 'Pilot Station', 'the estuary', weather, { ...every(90), habit: 'fails', ...past(30, 24) }],
  ['night-boat', 'The Night Boat', 'Hook Ness', ferry, { ...every(120), habit: 'moved', ...past(30, 24) }],
];

const TOWN: Row[] = [
  ['ellery-gazette', 'Ellery Gazette', 'Port Ellery', town, { ...every(19), ...past(60, 8), hasArchive: true }],
  ['mill-bakery', 'Mill Bakery', 'Mill Lane', bakery, { ...every(41), ...past(40, 22) }],
  [
    'chess-club',
    'Ellery Chess Club',
    'Port Ellery',
    chess,
    { rhythm: { everySeconds: 60, burst: 5 }, ...past(40, 15) },
  ],
  ['repair-cafe', 'Repair Café', 'Port Ellery', repair, { ...every(53), ...past(30, 30) }],
  ['town-library', 'Town Library', 'Port Ellery', books, { ...every(67), ...past(40, 26) }],
  ['choir', 'Ellery Choir and Strings', 'Port Ellery', music, { ...every(150), habit: 'page', ...past(25, 40) }],
  ['upper-valley', 'Upper Valley Notices', 'Corran', town, { ...every(110), habit: 'broken', ...past(30, 20) }],
  ['second-bakery', 'The Other Bakery', 'Chapel Hill', bakery, { habit: 'gone', ...past(20, 48) }],
  ['allotments', 'Riverside Allotments', 'the river path', garden, { ...every(83), ...past(35, 18) }],
];

const SCIENCE: Row[] = [
  ['kestrel-orbit', 'Kestrel Orbit: operations', 'Svartnes', orbit, { ...every(11), format: 'atom', ...past(60, 5) }],
  ['dunlin-relay', 'Dunlin Relay', 'Mirador', orbit, { ...every(37), ...past(40, 11) }],
  ['observatory', 'Fell Observatory', 'the Fell', stars, { ...every(73), ...past(45, 24), hasArchive: true }],
  ['variable-stars', 'Variable Star Circular', 'the Fell', stars, { ...every(100), habit: 'slow', ...past(40, 30) }],
  ['botanic-garden', 'Botanic Garden', 'Sandwater', garden, { ...every(130), format: 'atom', ...past(30, 36) }],
  ['old-dome', 'Notes from the Old Dome', 'Corran Hill', stars, { format: 'rdf', ...past(30, 60) }],
];

const LEISURE: Row[] = [
  [
    'railway-museum',
    'Fennel Valley Railway Museum',
    'Fennel',
    railway,
    { ...every(29), ...past(60, 14), hasArchive: true },
  ],
  ['signal-box', 'The Signal Box', 'Fennel Junction', railway, { ...every(140), habit: 'busy', ...past(30, 30) }],
  ['tramway', 'Ellery Tramway Society', 'Port Ellery', railway, { ...every(240), ...past(30, 44) }],
  ['daily-puzzle', 'Daily Puzzle', 'Lake Town', chess, { ...past(80, 24), hasArchive: true }],
  ['net-loft', 'The Net Loft', 'Port Ellery', music, { ...every(170), format: 'json', ...past(25, 50) }],
  ['bookbinder', 'A Bookbinder’s Week', 'Saddler’s Row', books, { ...every(300), ...past(30, 70) }],
  ['clock-room', 'The Clock Room', 'Saddler’s Row', repair, { ...every(200), format: 'atom', ...past(30, 34) }],
  ['brass-band', 'Corran Brass', 'Corran', music, { ...past(25, 90) }],
  [
    'winter-kitchen',
    'Winter Kitchen',
    'Hook Ness',
    bakery,
    { rhythm: { everySeconds: 180, burst: 4 }, ...past(30, 60) },
  ],
];

/** The publications of the demo. */
export const PUBLICATIONS: readonly Publication[] = [
  ...ofFolder('Harbour', HARBOUR),
  ...ofFolder('Town', TOWN),
  ...ofFolder('Science', SCIENCE),
  ...ofFolder('Leisure', LEISURE),
];

function ofFolder(folder: string, rows: Row[]): Publication[] {
  return rows.map(([slug, title, place, subject, more]) => ({
    slug,
    title,
    place,
    subject,
    folder,
    format: 'rss',
    rhythm: 'silent',
    past: { posts: 30, everyHours: 24 },
    ...more,
  }));
}
