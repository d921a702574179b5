import { z } from 'zod';
import { storableText } from '../../platform/jobs/storable.js';
import { foldText } from '../leads/fold-text.js';
import { ScrapeFailure, type ScraperTools } from '../scraper.js';
import { askCrunchbase, PLACE } from './crunchbase-api.js';

const MAX_SUGGESTIONS = 25;
/** A place consists of at most a city, a region, a country and a continent. */
const MAX_PLACES = 4;

const Suggestions = z.object({
  entities: z
    .array(
      z.object({
        identifier: z.object({
          uuid: z.string(),
          value: z.string().transform(storableText).nullish(),
          permalink: z.string().nullish(),
          entity_def_id: z.string().nullish(),
        }),
        facet_ids: z.array(z.string()).nullish().catch(undefined),
      }),
    )
    .nullish(),
});
type Suggestion = NonNullable<z.infer<typeof Suggestions>['entities']>[number];

export interface OneOf {
  field: 'categories' | 'category_groups' | 'location_identifiers' | 'location_group_identifiers';
  uuids: string[];
}

/** Searches take places by id only, and an unknown id matches nothing without an error. */
export async function placesCalled(geography: string, tools: ScraperTools): Promise<OneOf[]> {
  const whole = await placeCalled(geography, tools);
  if ('place' in whole) return [whole.place];
  const parts = geography
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length < 2 || parts.length > MAX_PLACES) throw unknownPlace(geography, whole.suggested);
  const places: OneOf[] = [];
  for (const part of parts) {
    const found = await placeCalled(part, tools);
    if (!('place' in found)) throw unknownPlace(part, found.suggested);
    places.push(found.place);
  }
  return places;
}

/** Returns the industry or the group of industries, which is broader. Undefined if the name is neither. */
export async function industryCalled(industry: string, tools: ScraperTools): Promise<OneOf | undefined> {
  const { exact } = await suggest(industry, 'categories,category_groups', tools);
  const groups = exact.filter(({ identifier }) => identifier.entity_def_id === 'category_group');
  if (groups.length) return { field: 'category_groups', uuids: idsOf(groups) };
  return exact.length ? { field: 'categories', uuids: idsOf(exact) } : undefined;
}

type Place = { place: OneOf } | { suggested: string[] };

/** Returns all places of that name; the other criteria tell them apart. */
async function placeCalled(name: string, tools: ScraperTools): Promise<Place> {
  const { exact, all } = await suggest(name, 'locations', tools);
  const areas = exact.filter(({ facet_ids }) => facet_ids?.includes('group'));
  const places = exact.filter((suggestion) => !areas.includes(suggestion));
  if (places.length) return { place: { field: 'location_identifiers', uuids: idsOf(places) } };
  if (areas.length) return { place: { field: 'location_group_identifiers', uuids: idsOf(areas) } };
  return { suggested: all.flatMap(({ identifier }) => identifier.value ?? []) };
}

async function suggest(name: string, collections: string, tools: ScraperTools) {
  const parameters = { query: name, collection_ids: collections, limit: String(MAX_SUGGESTIONS) };
  const { entities } = await askCrunchbase({ path: 'autocompletes', parameters, answer: Suggestions }, tools);
  const all = entities ?? [];
  const isMeant = ({ identifier: { value, permalink } }: Suggestion) =>
    [value, permalink].some((given) => given && folded(given) === folded(name));
  return { all, exact: all.filter(isMeant) };
}

const idsOf = (suggestions: Suggestion[]) => suggestions.map(({ identifier }) => identifier.uuid);

/** Permalinks have hyphens where names have spaces. */
const folded = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function unknownPlace(name: string, suggested: string[]): ScrapeFailure {
  const others = suggested.length ? `; it knows ${suggested.slice(0, 5).join(', ')}` : '';
  return new ScrapeFailure(`${PLACE} knows no place called "${name}"${others}`);
}
