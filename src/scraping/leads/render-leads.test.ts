import { describe, expect, it } from 'vitest';
import { type LeadView, renderLeadsCsv, renderLeadsJsonl } from './leads.controller.js';

const ACME: LeadView = {
  id: '1',
  name: 'Acme',
  domain: 'acme.example',
  emails: ['a@acme.example', 'b@acme.example'],
  phones: ['+4930901820', '+498923300'],
  address: 'Torstraße 1, 10119 Berlin',
  country: 'DE',
  description: 'Says "hello"\r\nto all',
  url: null,
  source_type: 'web',
  raw_payload: { a: [1] },
  scraped_at: '2030-01-01T00:00:00.000Z',
};

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

const csvOf = (...leads: LeadView[]) => joined(renderLeadsCsv(leads));

/** Parses CSV by RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let read = 0;
  for (const [whole, quoted, plain, end] of text.matchAll(CELL)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`this is no CSV: ${text.slice(read)}`);
  return rows.slice(0, -1);
}

const HEADER = 'id,name,domain,emails,phones,address,country,description,url,source_type,scraped_at';
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Yields every short text of dangerous characters. */
function* hostileTexts(): Generator<string> {
  const parts = ['=', '+', '-', '@', '\t', '\r', '\n', ' ', ';', ',', '"', "'", 'a', '＝', '\u00a0'];
  for (const one of parts) for (const two of parts) for (const three of parts) yield `${one}${two}${three}1+1`;
}

describe('leads as CSV', () => {
  it('are a header and a line each', async () => {
    expect(await csvOf(ACME)).toBe(
      `${HEADER}\r\n1,Acme,acme.example,"a@acme.example; b@acme.example","'+4930901820; '+498923300",` +
        '"Torstraße 1, 10119 Berlin",DE,"Says ""hello""\r\nto all",,web,2030-01-01T00:00:00.000Z\r\n',
    );
  });

  it('are only a header where there are none', async () => {
    expect(await csvOf()).toBe(`${HEADER}\r\n`);
  });

  it('come one after the other, as they are read', async () => {
    const read: string[] = [];
    async function* leads() {
      for (const id of ['1', '2']) {
        read.push(id);
        yield { ...ACME, id };
      }
    }
    const lines = renderLeadsCsv(leads());
    await lines.next();
    expect(read).toEqual([]);
    expect((await lines.next()).value).toMatch(/^1,/);
    expect(read).toEqual(['1']);
  });

  it('read back as they were, but for the apostrophes', async () => {
    const texts = [...hostileTexts()];
    const [, ...rows] = parseCsv(await csvOf(...texts.map((text) => ({ ...ACME, name: text, url: text }))));
    const readBack = rows.map((cells) => [cells.length, cells[1]?.replaceAll("'", ''), cells[8]?.replaceAll("'", '')]);
    expect(readBack).toEqual(texts.map((text) => text.replaceAll("'", '')).map((text) => [11, text, text]));
  });

  it('begin no cell like a formula', async () => {
    const texts = [...hostileTexts()];
    const csv = await csvOf(
      ...texts.map((text) => ({ ...ACME, name: text, emails: [text], phones: [text], url: text })),
    );
    const cells = parseCsv(csv).flat();
    expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
  });

  it('begin no cell like a formula for those who split at semicolons or tabs', async () => {
    const texts = [...hostileTexts()].flatMap((text) => [`a;${text}`, `a\t${text}`, `a;"${text}`]);
    const csv = await csvOf(...texts.map((text) => ({ ...ACME, name: text })));
    const cells = csv.split(/[;\t\r\n]/).map((cell) => cell.replaceAll('"', ''));
    expect(cells.filter((cell) => /^ *[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  });
});

describe('leads as JSON lines', () => {
  it('are one object a line', async () => {
    const text = await joined(renderLeadsJsonl([ACME, { ...ACME, id: '2' }]));
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([ACME, { ...ACME, id: '2' }]);
  });
});
