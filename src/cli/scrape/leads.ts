import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import type { ApiClient } from '../api/api-client.js';
import { type Terminal, UsageError } from '../command.js';
import type { Column } from '../show/table.js';

/** A lead, as far as it is shown. */
export const Lead = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  address: z.string().nullable(),
  country: z.string().nullable(),
  source_type: z.string(),
});

export const LEAD_COLUMNS: Column<z.infer<typeof Lead>>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'NAME', show: ({ name }) => name, cuts: true },
  { title: 'DOMAIN', show: ({ domain }) => domain, cuts: true },
  { title: 'EMAIL', show: ({ emails }) => emails[0], cuts: true },
  { title: 'PHONE', show: ({ phones }) => phones[0] },
  { title: 'COUNTRY', show: ({ country }) => country },
  { title: 'FOUND BY', show: ({ source_type }) => source_type },
  { title: 'ADDRESS', show: ({ address }) => address, spare: true },
];

interface Wanted {
  path: string;
  query: Record<string, string | boolean | undefined>;
  file: string;
}

/** All of them, as they come, to a file or to the standard output. */
export async function downloadCsv(api: ApiClient, { path, query, file }: Wanted, terminal: Terminal): Promise<void> {
  const { body } = await api.open(path, { query: { ...query, format: 'csv' } });
  const rows = Readable.fromWeb(body as ReadableStream);
  if (file === '-') {
    for await (const text of rows.setEncoding('utf8')) terminal.out(text);
    return;
  }
  try {
    await pipeline(rows, createWriteStream(file));
  } catch (error) {
    throw new UsageError(`cannot write to ${file}: ${(error as Error).message}`);
  }
}
