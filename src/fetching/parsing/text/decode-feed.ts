import { isUtf8 } from 'node:buffer';
import { decodeCharset } from '../../../platform/http/decode-charset.js';
import { decodeUtf32, isUtf32 } from './utf-32.js';

/** Western labels that servers and templates put on whatever there is. */
const CARELESS_LABELS = new Set(['us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'latin-1', 'windows-1252', 'cp1252']);

/** A document's text. What it is said to be in is believed unless the bytes tell otherwise. */
export function decodeFeed(bytes: Uint8Array, contentType?: string): string {
  if (isUtf32(bytes)) return decodeUtf32(bytes);
  const label = charsetOf(contentType) ?? declaredCharset(bytes);
  if (saysCarelessly(label) && isUtf8(bytes)) return decodeCharset(bytes, 'text/xml; charset=utf-8');
  const text = decodeCharset(bytes, contentType);
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  return better(text, decodeCharset(bytes, secondOpinion(bytes, contentType)));
}

/** If the header's charset does not fit, the document's own may; if that does not either, windows-1252 always does. */
function secondOpinion(bytes: Uint8Array, contentType: string | undefined): string {
  const declared = charsetOf(contentType) ? declaredCharset(bytes) : undefined;
  return `text/xml; charset=${declared ?? 'windows-1252'}`;
}

/** A few bad bytes in a text that otherwise fits are a slip; where most that is not ASCII is bad, the charset is wrong. */
function better(text: string, other: string): string {
  const bad = count(text, /\ufffd/g);
  const good = count(text, /[^\0-\x7f\ufffd]/g);
  return bad > good ? other : text;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function saysCarelessly(label: string | undefined): boolean {
  return label !== undefined && CARELESS_LABELS.has(label);
}

function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head)?.[1]?.toLowerCase();
}
