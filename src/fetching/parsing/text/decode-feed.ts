import { isUtf8 } from 'node:buffer';
import { decodeCharset } from '../../../platform/http/decode-charset.js';

/** Charset labels that servers and templates often set without regard to the content. */
const CARELESS_LABELS = new Set(['us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'latin-1', 'windows-1252', 'cp1252']);

export function decodeFeed(bytes: Uint8Array, contentType?: string): string {
  if (isUtf32(bytes)) return decodeUtf32(bytes);
  const label = charsetOf(contentType) ?? declaredCharset(bytes);
  if (isCarelessLabel(label) && isUtf8(bytes)) return decodeCharset(bytes, 'text/xml; charset=utf-8');
  const text = decodeCharset(bytes, contentType);
  if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
  return better(text, decodeCharset(bytes, fallbackContentType(bytes, contentType)));
}

/** The last resort is windows-1252, which always decodes. */
function fallbackContentType(bytes: Uint8Array, contentType: string | undefined): string {
  const declared = charsetOf(contentType) ? declaredCharset(bytes) : undefined;
  return `text/xml; charset=${declared ?? 'windows-1252'}`;
}

/** A few invalid bytes are accepted. If most non-ASCII bytes are invalid, the charset is wrong. */
function better(text: string, other: string): string {
  const bad = count(text, /\ufffd/g);
  const good = count(text, /[^\0-\x7f\ufffd]/g);
  return bad > good ? other : text;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function isCarelessLabel(label: string | undefined): boolean {
  return label !== undefined && CARELESS_LABELS.has(label);
}

function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i.exec(head)?.[1]?.toLowerCase();
}

function isUtf32(bytes: Uint8Array): boolean {
  return bigEndian(bytes) !== undefined;
}

function decodeUtf32(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = !bigEndian(bytes);
  const pieces: string[] = [];
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code !== 0xfeff) pieces.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
  }
  return pieces.join('');
}

function bigEndian([a, b, c, d]: Uint8Array): boolean | undefined {
  if (a === 0 && b === 0 && ((c === 0xfe && d === 0xff) || (c === 0 && d === 0x3c))) return true;
  if (c === 0 && d === 0 && ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0))) return false;
  return undefined;
}
