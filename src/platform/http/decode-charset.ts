import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** How many bytes of a document are searched for its own charset declaration. */
const DECLARATION_WINDOW = 1024;

const DECLARATIONS = [
  /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i,
  /<meta[^>]*?\scharset\s*=\s*["']?\s*([\w.:-]+)/i,
  /<meta[^>]*?\scontent\s*=\s*["'][^"']*?charset\s*=\s*([\w.:-]+)/i,
];

/** The order is BOM, Content-Type, the declaration in the document, valid UTF-8, windows-1252. */
export function decodeCharset(bytes: Uint8Array, contentType?: string): string {
  const decoder =
    decoderFor(unicodeSignature(bytes)) ??
    decoderFor(headerCharset(contentType)) ??
    decoderFor(declaredCharset(bytes)) ??
    new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
}

/** Characters from 0x80 on, where latin1 has control characters. Five are undefined in both. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Several versions of Node.js, 20 among them, decode windows-1252 as latin1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return controlsAsWindows1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** Nobody uses the control characters of latin1. Where they occur, windows-1252 was decoded as latin1 on the way. */
export function controlsAsWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}

function unicodeSignature([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0 && d === 0x3f)) return 'utf-16be';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c === 0x3f && d === 0)) return 'utf-16le';
  return undefined;
}

function headerCharset(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1];
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_WINDOW)).toString('latin1');
  const label = DECLARATIONS.map((declaration) => declaration.exec(head)?.[1]).find(Boolean);
  // A declaration that is readable byte by byte is not UTF-16, whatever it says.
  return label && /^utf-?16/i.test(label) ? undefined : label;
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the label is unknown
    throw error;
  }
}
