import type { Channel, FeedText, ReadChannel } from '../channel.js';
import { fromAtom } from '../formats/atom.js';
import { fromRss } from '../formats/rss.js';
import { NOT_PLAIN } from './not-plain.js';
import { plainAtom } from './plain-atom.js';
import { plainRss } from './plain-rss.js';
import { PlainXml } from './plain-xml.js';

/** The general reader decodes these texts. */
const BASE64_TEXT = /\bmode\s{0,9}=\s{0,9}["']base64/i;

/**
 * Reads the usual shapes of RSS 2.0 and Atom in one pass, without a tree. The result is the same as that of the general
 * reader. Undefined: the document has something that this reader does not know. Its time is linear, so it needs no limit.
 */
export function readPlainChannel({ text, isClean, base, raw }: FeedText): ReadChannel | undefined {
  // Short strings with a rare first character are found much faster than the whole words.
  if (raw || !isClean || text.includes('xml:ba')) return undefined;
  if ((text.includes('64"') || text.includes("64'")) && BASE64_TEXT.test(text)) return undefined;
  try {
    const channel = channelOf(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text, base);
    return channel?.items.length ? { channel, isWhole: true, isPlain: true } : undefined;
  } catch (error) {
    if (error === NOT_PLAIN) return undefined;
    throw error;
  }
}

function channelOf(text: string, base: string): Channel | undefined {
  const xml = new PlainXml(text);
  const root = xml.root();
  // What the formats look for in the text is refused above.
  const context = { base, text: '', rawItems: [] };
  const feed = root === 'rss' ? plainRss(xml) : undefined;
  const atom = root === 'feed' ? plainAtom(xml) : undefined;
  if (!feed && !atom) return undefined;
  xml.end();
  return feed ? fromRss(feed, context) : atom && fromAtom(atom, context);
}
