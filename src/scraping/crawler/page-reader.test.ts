import { afterAll, describe, expect, it } from 'vitest';
import { PageReader } from './page-reader.js';

const reader = new PageReader();
afterAll(() => reader.onApplicationShutdown());
const read = (html: string) => reader.read({ html, url: 'https://acme.de/' });

describe('PageReader', () => {
  it('reads a page in a thread', async () => {
    expect(await read('<title>Acme</title><a href="mailto:info@acme.de">x</a>')).toMatchObject({
      title: 'Acme',
      emails: ['info@acme.de'],
    });
  });

  it.each([
    ['tags that are taken over into each other', '<b><p>'],
    ['marks in marks', '<i itemscope itemtype=http://schema.org/Store itemprop=name>'],
  ])('comes to an end on 5 MB of %s, and reads the next page', async (_, piece) => {
    const end = await read(piece.repeat(5_000_000 / piece.length)).then(
      ({ organisations }) => organisations.length,
      (error: Error) => error.name,
    );
    expect([0, 'ThreadTimeout', 'ThreadDied']).toContain(end);
    expect(await read('<title>Next</title>')).toMatchObject({ title: 'Next' });
  });
});
