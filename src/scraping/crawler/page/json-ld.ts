import { type Described, isDescribed, listOf } from './described.js';
import { isOrganisation } from './organisation-types.js';

/** The limit exceeds what any real page contains. */
const MAX_VALUES = 20_000;

/** Returns the organisations of a page's JSON-LD from the outside in, so that the page's own precedes a publisher's. */
export function organisationsInJsonLd(blocks: string[]): Described[] {
  const things = describedIn(blocks.flatMap((block) => parseBlock(block) ?? []));
  const byId = new Map(things.filter(saysSomething).map((thing) => [thing['@id'], thing]));
  return things.filter((thing) => isOrganisation(thing['@type'])).map((thing) => linked(thing, byId));
}

function describedIn(values: unknown[]): Described[] {
  const found: Described[] = [];
  const open = [...values];
  for (let at = 0; at < open.length && at < MAX_VALUES; at++) {
    const value = open[at];
    if (isDescribed(value)) found.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) {
      if (open.length >= MAX_VALUES) break;
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return found;
}

const saysSomething = (thing: Described) => typeof thing['@id'] === 'string' && Object.keys(thing).length > 1;

/** Replaces references by the items that are described elsewhere on the page. */
function linked(thing: Described, byId: Map<unknown, Described>): Described {
  const resolve = (value: unknown): unknown => {
    const isName = isDescribed(value) && Object.keys(value).length === 1 && '@id' in value;
    return isName ? (byId.get(value['@id']) ?? value) : value;
  };
  const { address, contactPoint } = thing;
  return {
    ...thing,
    ...(address !== undefined && { address: listOf(address).map(resolve) }),
    ...(contactPoint !== undefined && { contactPoint: listOf(contactPoint).map(resolve) }),
  };
}

/** An unreadable block does not affect the others. */
function parseBlock(block: string): unknown {
  return parseJson(block) ?? parseJson(repaired(block));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Repairs common template errors, such as line breaks in strings and superfluous commas. */
function repaired(block: string): string {
  return block
    .replace(/<!--|-->|\/\*<!\[CDATA\[\*\/|\/\*\]\]>\*\/|\/\/\s?<!\[CDATA\[|\/\/\s?\]\]>|<!\[CDATA\[|\]\]>/g, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .replace(/;$/, '')
    .replace(/,(?= {0,100}[}\]])/g, '');
}
