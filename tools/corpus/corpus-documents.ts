import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';

const MANIFEST = 'manifest.json';

/** The fields of a manifest that are read. Its expected values are for tools that compare results. */
const Manifest = z.array(
  z.object({
    file: z.string().min(1),
    http: z.object({ headers: z.record(z.string(), z.string()).optional(), url: z.string().optional() }).nullish(),
  }),
);

/** A file of a corpus, with the HTTP headers that a server would have sent. */
export interface CorpusDocument {
  /** A path below the folder of the corpus. */
  file: string;
  url?: string | undefined;
  contentType?: string | undefined;
  contentLocation?: string | undefined;
}

/** A corpus that cannot be read at all; the message says what to do. */
export class UnreadableCorpus extends Error {
  override readonly name = 'UnreadableCorpus';
}

/** Lists the files of the manifest, or every file in the folder if there is none. */
export async function corpusDocuments(folder: string): Promise<CorpusDocument[]> {
  const manifest = await textOf(join(folder, MANIFEST));
  const documents = manifest === undefined ? await everyFile(folder) : listed(folder, manifest);
  if (documents.length === 0) throw new UnreadableCorpus(`There are no files in ${folder}. Give a folder with feeds.`);
  return documents;
}

function listed(folder: string, manifest: string): CorpusDocument[] {
  const parsed = Manifest.safeParse(fromJson(folder, manifest));
  if (!parsed.success) {
    throw new UnreadableCorpus(
      `${join(folder, MANIFEST)} is not a list of files:\n${z.prettifyError(parsed.error).split('\n').slice(0, 4).join('\n')}\nCorrect it, or remove it to read every file of the folder.`,
    );
  }
  return parsed.data.map(({ file, http }) => {
    const headers = new Headers(http?.headers);
    return {
      file,
      url: http?.url,
      contentType: headers.get('content-type') ?? undefined,
      contentLocation: headers.get('content-location') ?? undefined,
    };
  });
}

function fromJson(folder: string, manifest: string): unknown {
  try {
    return JSON.parse(manifest);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnreadableCorpus(
      `${join(folder, MANIFEST)} is not JSON: ${error.message}. Correct it, or remove it to read every file of the folder.`,
    );
  }
}

async function everyFile(folder: string): Promise<CorpusDocument[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return files.map((file) => ({ file: relative(folder, file) })).sort((a, b) => (a.file < b.file ? -1 : 1));
  } catch (cause) {
    throw new UnreadableCorpus(
      `Could not read the folder ${folder} (${codeOf(cause)}). Give another one: npm run corpus -- --in DIR --out FILE`,
      { cause },
    );
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw new UnreadableCorpus(`Could not read ${path} (${codeOf(error)}). Make it readable, or remove it.`);
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
