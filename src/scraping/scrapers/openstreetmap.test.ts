import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { answered, errorPage, FakeOverpass } from '../../../test/platforms/fake-overpass.js';
import { criteria, scraperTools, search } from '../../../test/platforms/scraper-tools.js';
import { matchesKeywords } from '../leads/matches-keywords.js';
import { normaliseLead } from '../leads/normalise-lead.js';
import type { Criteria } from '../scraper.js';
import { openstreetmap } from './openstreetmap.js';

const store = testDatabase();
const BAKERY = { shop: 'bakery', name: 'Brot & Co' };

async function newMap() {
  const server = await new FakeOverpass().start();
  const tools = scraperTools(store.database, { overpassUrl: server.url });
  const find = (given: Partial<Criteria> = {}) =>
    search(openstreetmap, { industry: 'bakery', geography: 'Berlin', ...given }, tools);
  const names = async (given?: Partial<Criteria>) => {
    const { leads, failure } = await find(given);
    if (failure) throw failure;
    return leads.map(({ name }) => name);
  };
  return { server, tools, find, names };
}

describe('a company on the map', () => {
  it('is a lead with all that its tags tell', async () => {
    const { server, find } = await newMap();
    const berlin = server.place({ name: 'Berlin', 'ISO3166-2': 'DE-BE' });
    const tags = {
      ...BAKERY,
      website: 'https://www.brot.example/filiale; https://brot.example',
      'contact:email': 'info@brot.example',
      phone: '+49 30 901820; +49 30 901821',
      'contact:phone': '+49 30 901820',
      'contact:fax': '+49 30 901829',
      'addr:street': 'Torstraße',
      'addr:housenumber': '1',
      'addr:postcode': '10119',
      'addr:city': 'Berlin',
      description: 'Sourdough only',
    };
    const { id } = server.add(tags, berlin);
    expect(await find()).toEqual({
      leads: [
        {
          name: 'Brot & Co',
          domain: 'https://www.brot.example/filiale',
          emails: ['info@brot.example'],
          phones: ['+49 30 901820', '+49 30 901821'],
          address: 'Torstraße 1, 10119 Berlin',
          country: 'DE',
          description: 'Sourdough only',
          url: `https://www.openstreetmap.org/node/${id}`,
          raw: { type: 'node', id, tags, position: { lat: 52.5, lon: 13.4 }, taggedAs: ['bakery'] },
        },
      ],
      failure: undefined,
    });
  });

  it('is left out if it has no name', async () => {
    const { server, names } = await newMap();
    const berlin = server.place({ name: 'Berlin' });
    server.add({ shop: 'bakery' }, berlin);
    server.add(BAKERY, berlin);
    expect(await names()).toEqual(['Brot & Co']);
    server.elements = [{ type: 'node', id: 1, tags: { shop: 'bakery', name: ' ' } }];
    expect(await names()).toEqual([]);
  });

  it('meets a keyword that stands for its tags in another language', async () => {
    const { server, find } = await newMap();
    server.add(BAKERY, server.place({ name: 'Berlin' }));
    const { leads } = await find({ industry: undefined, keywords: ['Bäckerei'] });
    const lead = leads[0] && normaliseLead(leads[0]);
    expect(lead && matchesKeywords(lead, ['Bäckerei'])).toBe(true);
  });

  it('is found by what is part of a tag where its industry is not known', async () => {
    const { server, names } = await newMap();
    server.add({ craft: 'piano_maker', name: 'Forte' }, server.place({ name: 'Berlin' }));
    expect(await names({ industry: 'Piano Makers' })).toEqual(['Forte']);
  });
});

describe('a place', () => {
  it.each(['Munich', 'münchen', 'MÜNCHEN', ' München '])('is known as %s', async (geography) => {
    const { server, names } = await newMap();
    server.add(BAKERY, server.place({ name: 'München', 'name:en': 'Munich' }));
    server.add({ ...BAKERY, name: 'Elsewhere' }, server.place({ name: 'Berlin' }));
    expect(await names({ geography })).toEqual(['Brot & Co']);
  });

  it.each(['frankfurt am main', 'Frankfurt am Main'])('is written as places are: %s', async (geography) => {
    const { server, names } = await newMap();
    server.add(BAKERY, server.place({ name: 'Frankfurt am Main' }));
    expect(await names({ geography })).toEqual(['Brot & Co']);
  });

  it.each(['Germany', 'DE', 'Allemagne'])('may be a country: %s', async (geography) => {
    const { server, names } = await newMap();
    server.add(BAKERY, server.place({ name: 'Deutschland', 'ISO3166-1': 'DE', admin_level: '2' }));
    expect(await names({ geography })).toEqual(['Brot & Co']);
  });

  it.each([
    ['Paris, France', 'Boulangerie'],
    ['Paris, Texas', 'Bakery'],
    ['Paris, TX', 'Bakery'],
    ['Paris, TX, USA', 'Bakery'],
  ])('is distinguished from others of its name by the places around it: %s', async (geography, expected) => {
    const { server, names } = await newMap();
    const france = server.place({ name: 'France', 'ISO3166-1': 'FR', admin_level: '2' });
    const usa = server.place({ name: 'United States', 'ISO3166-1': 'US', admin_level: '2' });
    const texas = server.place({ name: 'Texas', short_name: 'TX', 'ISO3166-2': 'US-TX' }, usa);
    server.add({ ...BAKERY, name: 'Boulangerie' }, server.place({ name: 'Paris' }, france));
    server.add({ ...BAKERY, name: 'Bakery' }, server.place({ name: 'Paris' }, usa, texas));
    expect(await names({ geography })).toEqual([expected]);
    expect(server.queries).toHaveLength(1);
  });

  it('is the largest where nothing tells it from others', async () => {
    const { server, names } = await newMap();
    server.add({ ...BAKERY, name: 'Bakery' }, server.place({ name: 'Paris', population: '24,171', admin_level: '8' }));
    server.add({ ...BAKERY, name: 'Boulangerie' }, server.place({ name: 'Paris', population: '2145906' }));
    expect(await names({ geography: 'Paris' })).toEqual(['Boulangerie']);
    expect(server.queries).toHaveLength(2);
  });

  it('may be a box', async () => {
    const { server, names } = await newMap();
    server.add(BAKERY);
    expect(await names({ geography: undefined, filters: { bbox: [52.4, 13.3, 52.6, 13.5] } })).toEqual(['Brot & Co']);
    expect(await names({ geography: undefined, filters: { bbox: [52.6, 13.3, 52.7, 13.5] } })).toEqual([]);
  });

  it('that is nowhere is a failure, one without such companies is none', async () => {
    const { server, find } = await newMap();
    expect((await find()).failure).toMatchObject({ message: 'OpenStreetMap knows no place named Berlin' });
    server.place({ name: 'Berlin' });
    expect(await find()).toEqual({ leads: [], failure: undefined });
  });

  it.each(['Berlin"];out;//', 'a\\', '"', '\\"];nwr(area:1);out tags 9;', 'x\u0000\n"'])(
    'stays a name, whatever is in it: %j',
    async (text) => {
      const { server, names } = await newMap();
      const shownAs = text.replace('\u0000\n', ' ');
      server.add(BAKERY, server.place({ name: `A ${shownAs}` }));
      server.add({ ...BAKERY, name: 'Elsewhere' }, server.place({ name: 'Berlin' }));
      expect(await names({ geography: `A ${text}` })).toEqual(['Brot & Co']);
    },
  );
});

it('a place and an industry or keywords are enough', () => {
  expect(openstreetmap.refuse?.(criteria({ geography: 'Berlin', industry: 'bakery' }))).toBeUndefined();
  expect(openstreetmap.refuse?.(criteria({ geography: 'Berlin', keywords: ['organic'] }))).toBeUndefined();
});

describe('a server', () => {
  it.each([
    ['runtime error: Query timed out in "query" at line 1 after 61 seconds.', true, 'ran out of time'],
    ['runtime error: Query run out of memory using about 2048 MB of RAM.', false, 'a smaller place'],
    ['runtime error: open64: 2 No such file or directory', false, 'open64'],
  ])('that gives up keeps what came, and says why: %s', async (remark, retryable, words) => {
    const { server, find } = await newMap();
    server.add(BAKERY, server.place({ name: 'Berlin' }));
    server.remark = remark;
    const { leads, failure } = await find();
    expect(leads).toHaveLength(1);
    expect(failure).toMatchObject({ name: 'ScrapeFailure', retryable, message: expect.stringContaining(words) });
  });

  it('may remark on what is no error', async () => {
    const { server, find } = await newMap();
    server.add(BAKERY, server.place({ name: 'Berlin' }));
    server.remark = 'runtime remark: slow today';
    expect((await find()).failure).toBeUndefined();
  });

  it('that has had enough of us is left alone for a minute, or as long as it says', async () => {
    const untold = await newMap();
    untold.server.refuses = errorPage(429, 'rate_limited');
    expect((await untold.find()).failure).toMatchObject({ retryable: true, until: new Date('2030-01-01T00:01:00Z') });
    const told = await newMap();
    told.server.refuses = { ...errorPage(429, 'rate_limited'), headers: { 'Retry-After': '7200' } };
    const { failure } = await told.find();
    expect(failure).toMatchObject({ retryable: true, until: expect.any(Date) });
    expect(failure).not.toMatchObject({ until: new Date('2030-01-01T00:01:00Z') });
  });

  it.each([
    [504, 'runtime error: The server is probably too busy to handle your request.', true],
    [500, 'runtime error', true],
    [400, "line 1: parse error: ';' expected", false],
    [403, 'blocked', false],
  ])('that answers %i is quoted', async (status, words, retryable) => {
    const { server, find } = await newMap();
    server.refuses = errorPage(status, words);
    const message = expect.stringContaining(`answered ${status}: Error: ${words}`);
    expect((await find()).failure).toMatchObject({ retryable, message });
  });

  it('that is too busy may say so on a page', async () => {
    const { server, find } = await newMap();
    server.refuses = { status: 200, body: errorPage(200, 'The server is probably too busy').body };
    expect((await find()).failure).toMatchObject({ name: 'ScrapeFailure', retryable: true });
  });

  it('may show elements that are none', async () => {
    const { server, find } = await newMap();
    const odd = [null, 7, {}, { type: 'node', id: 'x' }, { type: 'way', id: 3, tags: null }];
    const fine = { type: 'way', id: 4, center: null, tags: { name: 'Brot', phone: 7, 'addr:city': null } };
    server.refuses = { status: 200, body: answered([...odd, fine]) };
    const { leads, failure } = await find();
    expect(failure).toBeUndefined();
    expect(leads).toMatchObject([{ name: 'Brot', phones: [], url: 'https://www.openstreetmap.org/way/4' }]);
  });
});
