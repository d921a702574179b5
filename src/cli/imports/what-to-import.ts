import { type Terminal, UsageError } from '../command.js';
import { linesOf, readText } from '../read-input.js';

export type WhatToImport = { feeds: string[] } | { opml: string };

/** Addresses, files of addresses (one a line), or one OPML file. */
export async function whatToImport(args: string[], terminal: Terminal): Promise<WhatToImport> {
  const parts = await Promise.all(args.map((arg) => partOf(arg, terminal)));
  const opml = parts.flatMap((part) => ('opml' in part ? part.opml : []));
  const feeds = parts.flatMap((part) => ('feeds' in part ? part.feeds : []));
  if (opml[0] !== undefined && opml.length + feeds.length === 1) return { opml: opml[0] };
  if (opml.length) throw new UsageError('an OPML file is imported by itself: give it alone');
  if (!feeds.length) throw new UsageError(`there are no addresses in ${args.join(', ')}`);
  return { feeds };
}

async function partOf(arg: string, terminal: Terminal): Promise<WhatToImport> {
  if (/^[a-z]+:\/\//i.test(arg)) return { feeds: [arg] };
  const text = (await readText(arg, terminal)).replace(/^\uFEFF/, '');
  return text.trimStart().startsWith('<') ? { opml: text } : { feeds: linesOf(text) };
}
