import { z } from 'zod';
import { escapeHtml } from '../parsing/text/escape-html.js';
import { link } from './write-html.js';

const Feature = z.union([
  z.object({ $type: z.literal('app.bsky.richtext.facet#link'), uri: z.string() }),
  z.object({ $type: z.literal('app.bsky.richtext.facet#mention'), did: z.string() }),
  z.object({ $type: z.literal('app.bsky.richtext.facet#tag'), tag: z.string() }),
  // Unknown features are shown as plain text.
  z.unknown().transform(() => undefined),
]);
type Feature = z.infer<typeof Feature>;

export const Facet = z.object({
  /** Offsets in bytes of the UTF-8 text. */
  index: z.object({ byteStart: z.int(), byteEnd: z.int() }),
  features: z.array(Feature),
});
type Facet = z.infer<typeof Facet>;

/** Facets that overlap or do not fit the text are ignored. */
export function richText(text: string, facets: Facet[]): string {
  const bytes = Buffer.from(text);
  let html = '';
  let done = 0;
  for (const { index, features } of facets.toSorted((a, b) => a.index.byteStart - b.index.byteStart)) {
    const { byteStart: start, byteEnd: end } = index;
    const target = features.map(targetOf).find(Boolean);
    if (!target || start < done || start >= end || !isBoundary(bytes, start) || !isBoundary(bytes, end)) continue;
    html += plain(bytes.toString('utf8', done, start)) + link(target, bytes.toString('utf8', start, end));
    done = end;
  }
  html += plain(bytes.toString('utf8', done));
  return html && `<p>${html}</p>`;
}

function plain(text: string): string {
  return escapeHtml(text)
    .replace(/\n(?:[^\S\n]*\n)+/g, '</p><p>')
    .replaceAll('\n', '<br>');
}

function targetOf(feature: Feature): string | undefined {
  if (feature === undefined) return undefined;
  if ('uri' in feature) return feature.uri;
  if ('did' in feature) return `https://bsky.app/profile/${encodeURIComponent(feature.did)}`;
  return `https://bsky.app/hashtag/${encodeURIComponent(feature.tag.toWellFormed())}`;
}

function isBoundary(bytes: Buffer, at: number): boolean {
  const byte = bytes[at];
  return at === bytes.length || (byte !== undefined && (byte & 0xc0) !== 0x80);
}
