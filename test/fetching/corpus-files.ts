import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedDocument } from '../../src/fetching/fetcher.js';
import { corpusDocuments } from '../../tools/corpus/corpus-documents.js';

/** Feeds from the tests of other parsers, which are beside the repository if they are available. */
const FOLDER = join(import.meta.dirname, '../../../shared/corpus');

export const hasCorpus = existsSync(FOLDER);

export interface CorpusFile {
  file: string;
  document: FeedDocument;
}

export async function corpusFiles(): Promise<CorpusFile[]> {
  return Promise.all((await corpusDocuments(FOLDER)).map(withBody));
}

async function withBody({ file, url, ...sent }: Awaited<ReturnType<typeof corpusDocuments>>[number]) {
  const body = await readFile(join(FOLDER, file));
  return { file, document: { ...sent, body, url: url ?? `https://feeds.example/${file}` } };
}
