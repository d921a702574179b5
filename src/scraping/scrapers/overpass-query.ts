import { filterOf, type Kind } from './osm-kinds.js';
import { areasNamed, type Place, union } from './osm-place.js';

/** The time limit of the server in seconds. */
export const SERVER_TIMEOUT = 60;
/** The maximum number of results. The server offers no further pages. */
const MAX_ELEMENTS = 2_000;
const MAX_AREAS = 100;

/** Selects the areas of the place's name, then the elements in any of them. */
export function queryIn(place: Place, kinds: Kind[]): string {
  if ('box' in place) return query('', kinds, `(${place.box.map((degrees) => degrees.toFixed(7)).join(',')})`);
  return query(`${areasNamed(place.names)}.a out tags ${MAX_AREAS};`, kinds, '(area.a)');
}

/** Selects the elements in one known area. */
export const queryInArea = (areaId: number, kinds: Kind[]): string => query('', kinds, `(area:${areaId})`);

function query(before: string, kinds: Kind[], within: string): string {
  const filters = new Set(kinds.flatMap(({ selectors }) => selectors.map(filterOf)));
  const statements = [...filters].map((filter) => `nwr${filter}["name"]${within}`);
  return `[out:json][timeout:${SERVER_TIMEOUT}];${before}${union(statements)};out center tags ${MAX_ELEMENTS};`;
}
