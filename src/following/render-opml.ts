import { generateOpml, type Opml } from 'feedsmith';
import type { ListedSource } from '../sources/source-views.store.js';
import { levelsOf } from './folder.js';
import { opmlAddress } from './opml-address.js';

type Outline = Opml.Outline<Date>;
interface FolderOutline extends Outline {
  outlines: Outline[];
}

/** The generator refuses to create a document without outlines. */
const EMPTY = `<?xml version="1.0" encoding="utf-8"?>
<opml version="2.0">
  <head>
    <title>Millrace</title>
  </head>
  <body/>
</opml>
`;

export function renderOpml(listed: ListedSource[], now: Date): string {
  if (!listed.length) return EMPTY;
  const top: FolderOutline = { text: '', outlines: [] };
  const folders = new Map<string, FolderOutline>([['', top]]);
  for (const source of listed) folderFor(levelsOf(source.folder ?? ''), folders).outlines.push(toOutline(source));
  return generateOpml({ head: { title: 'Millrace', dateCreated: now }, body: { outlines: top.outlines } });
}

function folderFor(levels: string[], folders: Map<string, FolderOutline>): FolderOutline {
  const path = levels.join('/');
  const known = folders.get(path);
  if (known) return known;
  const name = clean(levels.at(-1) ?? '');
  const made: FolderOutline = { text: name, title: name, outlines: [] };
  folders.set(path, made);
  folderFor(levels.slice(0, -1), folders).outlines.push(made);
  return made;
}

function toOutline(source: ListedSource): Outline {
  const xmlUrl = clean(opmlAddress(source));
  const title = clean(source.title ?? '').trim();
  return {
    type: source.type,
    text: title || xmlUrl,
    title: title || undefined,
    xmlUrl,
    htmlUrl: source.siteUrl ? clean(source.siteUrl) : undefined,
  } as Outline;
}

/** Characters that XML 1.0 cannot represent. */
const UNWRITABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const clean = (text: string) => text.toWellFormed().replace(UNWRITABLE, '');
