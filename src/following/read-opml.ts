import { type Opml, parseOpml } from 'feedsmith';
import { folderOf } from './folder.js';

/** A feed in an OPML document, as it says. */
export interface OpmlFeed {
  title?: string | undefined;
  xmlUrl: string;
  folder?: string | undefined;
}

/** What is wrong with a document, in words. */
class OpmlTrouble extends Error {
  override readonly name = 'OpmlTrouble';
}

/** Unless more are wanted. */
export const MAX_OUTLINES = 20_000;
/** As deep as the parser goes. */
const MAX_DEPTH = 95;
const MAX_TITLE_LENGTH = 500;

type Outline = Opml.Outline<string>;

/** The feeds of a document in its order, each in the folder that the outlines around it make, else that of its category. */
export function readOpml(text: string, mostOutlines = MAX_OUTLINES): OpmlFeed[] {
  const outlines = text.match(/<outline[\s/>]/gi)?.length ?? 0;
  if (outlines > mostOutlines)
    throw new OpmlTrouble(
      `It has ${outlines} outlines; at most ${mostOutlines} can be read at once. Send it in parts.`,
    );
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
    if (/nested/i.test(reason)) throw new OpmlTrouble(`Its outlines are nested deeper than ${MAX_DEPTH} levels.`);
    throw new OpmlTrouble('The document is not OPML, or it is broken.');
  }
}

/** Some write the address of a feed as that of a link. */
function addressOf({ xmlUrl, url, type }: Outline): string | undefined {
  return xmlUrl ?? (type && /^(rss|atom|feed)$/i.test(type) ? url : undefined);
}

const nameOf = ({ title, text }: Outline) => title ?? text;

/** Many programs write the address where they know no title. */
function titleOf(outline: Outline, xmlUrl: string): string | undefined {
  const title = nameOf(outline)?.replaceAll('\0', '').toWellFormed().trim().slice(0, MAX_TITLE_LENGTH).toWellFormed();
  return title && title !== xmlUrl ? title : undefined;
}

/** A category holds paths such as `/News/Tech`, several parted by commas: the first counts. */
function folderAt(folders: string[], { category }: Outline): string | undefined {
  const names = folders.map((name) => name.replaceAll('\0', '').toWellFormed());
  return folderOf(names) ?? folderOf([category?.split(',', 1)[0]?.replaceAll('\0', '').toWellFormed() ?? '']);
}
