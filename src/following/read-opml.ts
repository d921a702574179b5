import { type Opml, parseOpml } from 'feedsmith';
import { folderOf } from './folder.js';

export interface OpmlFeed {
  title?: string | undefined;
  xmlUrl: string;
  folder?: string | undefined;
}

/** The user reads the message. */
class OpmlError extends Error {
  override readonly name = 'OpmlError';
}

export const MAX_OUTLINES = 20_000;
/** The parser refuses deeper documents. */
const MAX_DEPTH = 95;
const MAX_TITLE_LENGTH = 500;

type Outline = Opml.Outline<string>;

/** Returns the feeds in order. The folder is that of the enclosing outlines or, without any, the category. */
export function readOpml(text: string, maxOutlines = MAX_OUTLINES): OpmlFeed[] {
  const outlines = text.match(/<outline[\s/>]/gi)?.length ?? 0;
  if (outlines > maxOutlines)
    throw new OpmlError(`It has ${outlines} outlines; at most ${maxOutlines} can be read at once. Send it in parts.`);
  const feeds: OpmlFeed[] = [];
  const walk = (outline: Outline, folders: string[]) => {
    const xmlUrl = addressOf(outline);
    if (xmlUrl) feeds.push({ xmlUrl, title: titleOf(outline, xmlUrl), folder: folderAt(folders, outline) });
    const inside = xmlUrl ? folders : [...folders, nameOf(outline) ?? ''];
    for (const inner of outline.outlines ?? []) walk(inner, inside);
  };
  for (const outline of parse(text).body?.outlines ?? []) walk(outline, []);
  return feeds;
}

function parse(text: string): Opml.Document<string> {
  try {
    return parseOpml(text.trim());
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    if (/nested/i.test(reason)) throw new OpmlError(`Its outlines are nested deeper than ${MAX_DEPTH} levels.`);
    throw new OpmlError('The document is not OPML, or it is broken.');
  }
}

/** Some programs write the address of a feed into `url`. */
function addressOf({ xmlUrl, url, type }: Outline): string | undefined {
  return xmlUrl ?? (type && /^(rss|atom|feed)$/i.test(type) ? url : undefined);
}

const nameOf = ({ title, text }: Outline) => title ?? text;

/** Many programs write the address if they know no title. */
function titleOf(outline: Outline, xmlUrl: string): string | undefined {
  const title = nameOf(outline)?.replaceAll('\0', '').toWellFormed().trim().slice(0, MAX_TITLE_LENGTH).toWellFormed();
  return title && title !== xmlUrl ? title : undefined;
}

/** A category contains paths such as `/News/Tech`, separated by commas. The first one counts. */
function folderAt(folders: string[], { category }: Outline): string | undefined {
  const names = folders.map((name) => name.replaceAll('\0', '').toWellFormed());
  return folderOf(names) ?? folderOf([category?.split(',', 1)[0]?.replaceAll('\0', '').toWellFormed() ?? '']);
}
