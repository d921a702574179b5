import { canParseUrl } from '../../../platform/can-parse-url.js';
import { countGraphemes } from '../count-graphemes.js';

/** A link, mention or tag in a text. Positions are bytes of its UTF-8 form. */
interface FacetRange {
  byteStart: number;
  byteEnd: number;
  link?: string;
  handle?: string;
  tag?: string;
}

const LINK = /(?<=^|\s|\()https?:\/\/\S+/giu;
const MENTION =
  /(?<=^|\s|\()@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![a-z0-9-])/giu;
/** Soft hyphens, zero-width spaces and similar characters end a tag. */
const TAG = /(?<=^|\s)[#＃](?!\ufe0f)((?:(?!\u20e2)[^\s\u00ad\u2060\u200a-\u200d])+)/gu;
const MAX_TAG_LENGTH = { graphemes: 64, bytes: 640 };

export function handlesIn(text: string): string[] {
  return [...new Set(mentionsIn(text).flatMap(({ handle }) => handle ?? []))];
}

export function facetsOf(text: string, dids: Record<string, string>): unknown[] {
  return [...linksIn(text), ...mentionsIn(text), ...tagsIn(text)]
    .toSorted((a, b) => a.byteStart - b.byteStart)
    .flatMap(({ byteStart, byteEnd, ...found }) => {
      const feature = featureOf(found, dids);
      return feature ? [{ index: { byteStart, byteEnd }, features: [feature] }] : [];
    });
}

function featureOf({ link, handle, tag }: Omit<FacetRange, 'byteStart' | 'byteEnd'>, dids: Record<string, string>) {
  if (link) return { $type: 'app.bsky.richtext.facet#link', uri: link };
  if (tag) return { $type: 'app.bsky.richtext.facet#tag', tag };
  const did = handle && dids[handle];
  return did ? { $type: 'app.bsky.richtext.facet#mention', did } : undefined;
}

function linksIn(text: string): FacetRange[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: spelled, index }) => {
    const link = withoutPunctuation(spelled);
    return canParseUrl(link) ? [{ ...byteRange(text, index, link), link }] : [];
  });
}

/** Punctuation at the end of a sentence or around an address is not part of the address. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  for (; end > 0; end -= 1) {
    const sign = address.charAt(end - 1);
    const closesOuter = sign === ')' && !address.slice(0, end).includes('(');
    if (!'.,;:!?\'"'.includes(sign) && !closesOuter) break;
  }
  return address.slice(0, end);
}

function mentionsIn(text: string): FacetRange[] {
  return [...text.matchAll(MENTION)].map(({ 0: mention, 1: handle = '', index }) => ({
    ...byteRange(text, index, mention),
    handle: handle.toLowerCase(),
  }));
}

function tagsIn(text: string): FacetRange[] {
  return [...text.matchAll(TAG)].flatMap(({ 1: spelled = '', index }) => {
    const tag = spelled.replace(/\p{P}+$/u, '');
    const isTag = /[^\d\p{P}]/u.test(tag) && Buffer.byteLength(tag) <= MAX_TAG_LENGTH.bytes;
    if (!isTag || countGraphemes(tag) > MAX_TAG_LENGTH.graphemes) return [];
    return [{ ...byteRange(text, index, `#${tag}`, text.charAt(index)), tag }];
  });
}

/** The sign of a tag may be the full-width form, which has more bytes. */
function byteRange(text: string, index: number, part: string, sign = part.charAt(0)) {
  const byteStart = Buffer.byteLength(text.slice(0, index));
  return { byteStart, byteEnd: byteStart + Buffer.byteLength(sign + part.slice(1)) };
}
